/** Last lines of English profiles by tone. */
export const closing: Readonly<Record<string, string>> = {
  'closer.warm': `
    Say hello. I'd love to hear what made you smile today.
    I'll bring the {bake}.
    If you've read this far, thank you, truly.
    Write to me, even if it's only to tell me about your {dog|mother|garden}.
    Come and sit by me.
    I can't wait to hear your story.
    Let's get {drink} and see if we forget the time.
    I promise to answer everyone who writes a real sentence.
    Here's to good surprises.
    Be brave and say hi first; I'll be brave and say yes.
    My porch has room for two.
    Tell me what you're looking forward to.
  `,
  'closer.dry': `
    No refunds.
    If this goes well, we'll say we met at the {place}.
    Thank you for coming to my talk.
    Please write, if only to correct my grammar.
    First one to message picks the movie.
    That's it. That's the profile.
    I've run out of things to exaggerate.
    Swipe, write, send a pigeon. All channels are open.
    You've read all this? You must be at the dentist.
    Ask me about the {fire|goat|wedding|ferry}. It's a good one.
    Bring snacks.
    Side effects may include {bake}.
  `,
  'closer.plain': `
    If that sounds good, send me a message.
    Let's meet for {drink} and a walk.
    Ask me anything.
    I answer most evenings.
    I look forward to hearing from you.
    That's me in short; the rest I'd rather tell you in person.
    Write to me if you'd like to know more.
    I'm here to meet people, so don't be shy.
    Thanks for reading, and good luck out there.
    See you at the {place}, maybe.
    I check in here a few times a week.
    Hope to talk soon.
    {Name}.
  `,
};
