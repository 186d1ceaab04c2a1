/** Parameters (undefined removes one) and the codes of the answer in table order. */
export type Refusal = readonly [parameters: Readonly<Record<string, unknown>>, failcode: readonly number[]];

/** A member who is already registered on the site. */
export interface Taken {
  readonly username: string;
  readonly email: string;
}

/** The body of a refusal with these codes. */
export const invalid = (...failcode: readonly number[]) => ({
  fail: 'Invalid Argument',
  ...(failcode.length && { failcode }),
});

const letters = (count: number) => 'a'.repeat(count);
const anywhere = { city: undefined, state: undefined, zip: undefined };
const placeless = { ...anywhere, country: undefined, latitude: undefined, longitude: undefined };
const inCountry = { latitude: undefined, longitude: undefined };

/** POST /members: every code of the Registration table, with values just outside each limit. */
export const registrationRefusals = ({ username, email }: Taken): readonly Refusal[] => [
  [{ favorite_dinosaur: 'rex' }, [10000]],
  [{ searchable: true }, [10000]],
  [{ gender: 'male' }, [10001]],
  [{ gender: '' }, [10001]],
  [{ gender: undefined }, [10001]],
  [{ genderpreference: 'Both' }, [10002]],
  [{ genderpreference: undefined }, [10002]],
  [{ country: 'USA' }, [10011]],
  [{ country: 'ZZ' }, [10011]],
  [{ country: '' }, [10011]],
  [{ ...placeless, city: 'Lincoln' }, [10011]],
  [placeless, [10011]],
  [{ firstname: '' }, [10021]],
  [{ firstname: letters(101) }, [10021]],
  [{ lastname: '' }, [10022]],
  [{ lastname: letters(101) }, [10022]],
  [{ latitude: 90.1 }, [10031]],
  [{ latitude: 'north' }, [10031]],
  [{ latitude: undefined }, [10031]],
  [{ longitude: -180.1 }, [10032]],
  [{ longitude: '' }, [10032]],
  [{ longitude: undefined }, [10032]],
  [{ ...inCountry, zip: '' }, [10041]],
  [{ ...inCountry, zip: letters(21) }, [10041]],
  [{ city: '' }, [10051]],
  [{ city: letters(256) }, [10051]],
  [{ state: '' }, [10061]],
  [{ state: letters(46) }, [10061]],
  [{ ...inCountry, ...anywhere }, [10051, 10061, 10041]],
  [{ username }, [10101]],
  [{ username: username.toUpperCase() }, [10101]],
  [{ username: 'two words' }, [10102]],
  [{ username: letters(101) }, [10102]],
  [{ username: undefined }, [10102]],
  [{ password: 'seven77' }, [10201]],
  [{ password: 'password1' }, [10201]],
  [{ password: letters(257) }, [10201]],
  [{ password: undefined }, [10201]],
  [{ username: 'samesame1234', password: 'my-samesame1234' }, [10201]],
  [{ password: 'my-heartland-9' }, [10201]],
  [{ password: 'qwerty123456' }, [10201]],
  [{ email: 'nobody' }, [10301]],
  [{ email: `${letters(120)}@mail.example` }, [10301]],
  [{ email: undefined }, [10301]],
  [{ email }, [10302]],
  [{ email: email.toUpperCase() }, [10302]],
  [{ dateofbirth: '1990-04-23' }, [10401]],
  [{ dateofbirth: '02/30/1990' }, [10401]],
  [{ dateofbirth: undefined }, [10401]],
  [{ dateofbirth: '01/01/2020' }, [10402]],
  [{ headline: '' }, [10501]],
  [{ headline: letters(76) }, [10501]],
  [{ aboutme: '' }, [10601]],
  [{ aboutme: letters(1_501) }, [10601]],
  [{ affiliateid: 'old-banners' }, [10701]],
  [{ world_plus: 'perhaps' }, [20703]],
  [{ smoking: 11 }, [20901]],
  [{ agefrom: 30 }, [20901]],
  [{ affiliateid: letters(101) }, [20901]],
  [
    { gender: 'x', email, username, password: 'short', city: '', aboutme: '', nonsense: 1 },
    [10001, 10201, 10051, 10601, 10000],
  ],
];

/**
 * POST /members/self after the allowed changes of gender and birth date: every code of the Profile update
 * table.
 */
export const updateRefusals = ({ username, email }: Taken): readonly Refusal[] => [
  [{ favorite_dinosaur: 'rex' }, [10000]],
  [{ password: 'another-password-9' }, [10000]],
  [{ photo_caption: 'me' }, [10000]],
  [{ gender_preference: 'Both' }, [10002]],
  [{ 'first-name': '' }, [10021]],
  [{ first_name: letters(101) }, [10021]],
  [{ last_name: '' }, [10022]],
  [{ last_name: letters(101) }, [10022]],
  [{ latitude: 91, longitude: 1 }, [10031]],
  [{ longitude: 1 }, [10031]],
  [{ latitude: 1, longitude: 181 }, [10032]],
  [{ latitude: 1 }, [10032]],
  [{ city: '' }, [10051]],
  [{ city: letters(256) }, [10051]],
  [{ state: '' }, [10061]],
  [{ state: letters(46) }, [10061]],
  [{ username }, [10101]],
  [{ username: 'two words' }, [10102]],
  [{ username: letters(101) }, [10102]],
  [{ headline: letters(9) }, [10501]],
  [{ headline: letters(76) }, [10501]],
  [{ about_me: letters(99) }, [10601]],
  [{ 'about-me': letters(1_501) }, [10601]],
  [{ gender: 'male' }, [20101]],
  [{ gender: 'Female' }, [20102]],
  [{ country: 'USA', city: 'Lincoln' }, [20201]],
  [{ country: '', city: 'Lincoln' }, [20201]],
  [{ zip: '' }, [20301]],
  [{ zip: letters(21) }, [20301]],
  [{ zippostalcode: '123' }, [20301]],
  [{ country: 'DE' }, [10051, 10061, 20301]],
  [{ date_of_birth: '1990-04-23' }, [20401]],
  [{ dateofbirth: '02/30/1990' }, [20401]],
  [{ date_of_birth: '04/25/1990' }, [20402]],
  [{ date_of_birth: '01/01/2020' }, [20403]],
  [{ email: 'nobody' }, [20501]],
  [{ email: `${letters(120)}@mail.example` }, [20501]],
  [{ email }, [20502]],
  [{ email: email.toUpperCase() }, [20502]],
  [{ display_name_preference: 'lastname' }, [20701]],
  [{ online: 'perhaps' }, [20702]],
  [{ world_plus: 'perhaps' }, [20703]],
  [{ communityoptin: 'perhaps' }, [20703]],
  [{ deactivated: 'perhaps' }, [20704]],
  [{ searchable: 'perhaps' }, [20801]],
  [{ deactivated: true, reason_id: 'none' }, [20801]],
  [{ 'eye-color': 11 }, [20901]],
  [{ i_reading: 5 }, [20901]],
  [{ agefrom: 40, ageto: 30 }, [20901]],
  [{ ageto: 40 }, [20901]],
  [
    { gender: 'Female', headline: 'x', about_me: 'x', world_plus: 'x', email, city: '', nonsense: 1 },
    [10601, 10501, 20703, 20102, 10051, 10000],
  ],
];
