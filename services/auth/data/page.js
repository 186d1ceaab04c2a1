// The script of every hosted page. The Content-Security-Policy names its hash; pages work without it.

// Shows what is entered in the password fields of a form, which are hidden again before they are sent.
for (const box of document.querySelectorAll('input[data-show]')) {
  const { form } = box;
  const fields = [...form.querySelectorAll('input[type=password]')];
  const show = (isShown) => {
    // A shown password is no text to correct: spelling services would learn it.
    const kind = { type: isShown ? 'text' : 'password', spellcheck: false, autocapitalize: 'none' };
    for (const field of fields) Object.assign(field, kind);
  };
  box.closest('label').hidden = false;
  box.checked = false;
  box.addEventListener('change', () => show(box.checked));
  form.addEventListener('submit', () => show(false));
}

// Fills in passkeys: a form with data-passkey has the options, and sends what the authenticator answers.
let pending;

async function answer(form, conditional) {
  pending?.abort();
  pending = new AbortController();
  const { signal } = pending;
  const { options } = form.dataset;
  const isSignIn = form.dataset.passkey === 'get';
  for (const problem of form.querySelectorAll('[role=alert]')) problem.hidden = true;
  try {
    const credential = isSignIn
      ? await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options)),
          signal,
          ...(conditional && { mediation: 'conditional' }),
        })
      : await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options)),
          signal,
        });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch (error) {
    const problem = form.querySelector(`[data-error="${error.name}"]`) ?? form.querySelector('[role=alert]');
    problem.hidden = conditional || error.name === 'AbortError';
  }
}

// Tells the password manager which passkeys no longer work.
async function forgetPasskeys() {
  try {
    for (const { dataset } of document.querySelectorAll('[data-unknown]')) {
      const { rpId } = JSON.parse(dataset.options);
      await PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId: dataset.unknown });
    }
    for (const { dataset } of document.querySelectorAll('[data-accepted]'))
      await PublicKeyCredential.signalAllAcceptedCredentials?.(JSON.parse(dataset.accepted));
  } catch {
    // The browser does not know better: nothing depends on it.
  }
}

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const note of document.querySelectorAll('[data-without-passkeys]')) note.hidden = true;
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void answer(form, false);
    });
  }
  for (const field of document.querySelectorAll('input[name=passkeys]')) {
    if (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) field.value = 'yes';
  }
  await forgetPasskeys();
  const signIn = document.querySelector('form[data-passkey=get]:not([data-refused])');
  if (signIn && (await PublicKeyCredential.isConditionalMediationAvailable?.())) await answer(signIn, true);
}
