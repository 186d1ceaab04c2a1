/** What `max_age` is called inside: the provider takes that name with the scope `openid` only, which no client has here. */
export const maxAgeParameter = 'sign_in_max_age';
