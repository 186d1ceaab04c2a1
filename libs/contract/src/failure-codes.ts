/** One failure code of spec section 7: its number, its meaning and the group of operations that answers it. */
export interface FailureCodeEntry {
  readonly code: number;
  readonly group: FailureGroup;
  readonly meaning: string;
}

/** The tables of spec section 7. */
export type FailureGroup =
  | 'registration'
  | 'photo'
  | 'profile update'
  | 'saved searches'
  | 'match criteria v1'
  | 'search v2'
  | 'search v1'
  | 'interaction limits'
  | 'messaging and profile access'
  | 'profile access';

type Row = readonly [code: number, meaning: string];

const rows: Record<FailureGroup, readonly Row[]> = {
  registration: [
    [10000, 'unknown field'],
    [10001, 'gender not `Male` or `Female`'],
    [10002, 'genderpreference not `Male` or `Female`'],
    [10011, 'country not valid'],
    [10021, 'firstname empty or too long (limit 100)'],
    [10022, 'lastname empty or too long (limit 100)'],
    [10031, 'latitude invalid'],
    [10032, 'longitude invalid'],
    [10041, 'zip empty or too long (limit 20)'],
    [10051, 'city empty or too long (limit 255)'],
    [10061, 'state empty or too long (limit 45)'],
    [10101, 'username already in use'],
    [10102, 'username has illegal characters'],
    [10201, 'password minimum length and/or other restrictions not met'],
    [10301, 'email format invalid'],
    [10302, 'email already in use'],
    [10401, 'dateofbirth format invalid'],
    [10402, 'minimum age not met'],
    [10501, 'headline empty or too long (over 75)'],
    [10601, 'aboutme empty or too long (over 1,500)'],
    [10701, 'affiliate suspended; call /recordaffiliatehit for a redirect URL'],
  ],
  photo: [
    [11201, 'neither image nor imageurl given (one required)'],
    [11202, 'both image and imageurl given (only one allowed)'],
    [11203, 'member already has the maximum number of uploaded photos'],
    [11204, 'image could not be processed after upload'],
    [11205, 'image too large (cap around 5 MB)'],
    [11206, 'image type not acceptable (allowed: BMP, GIF, ICO, JPG, PNG)'],
    [11301, 'photoid missing'],
    [11302, 'photoid not numeric'],
    [11303, 'photo does not exist or does not belong to the member'],
  ],
  'profile update': [
    [20101, 'invalid gender'],
    [20102, 'gender changes exceeded'],
    [20201, 'invalid country'],
    [20301, 'invalid zip (or zippostalcode)'],
    [20401, 'dateofbirth not a valid date'],
    [20402, 'dateofbirth changes exceeded'],
    [20403, 'minimum age not met'],
    [20501, 'email not valid'],
    [20502, 'email already in use on this site'],
    [20701, 'display_name_preference must be `nickname` or `firstname`'],
    [20702, 'online must be true or false'],
    [20703, 'world_plus must be `opted-in`, `opted-out` or `undecided`'],
    [20704, 'deactivated must be true or false'],
    [20801, 'setting not valid'],
    [20901, 'value(s) out of range of the expected list'],
  ],
  'saved searches': [
    [20222, 'name not provided'],
    [20223, 'name empty or too long (limit 32)'],
    [20224, 'id was provided (not accepted here)'],
    [20225, 'a saved search with this name already exists'],
  ],
  'match criteria v1': [
    [30101, 'distance invalid'],
    [30201, 'only one of agefrom/ageto given'],
    [30202, 'age not numeric'],
    [30203, 'age range invalid (must be 18 to 120)'],
    [30301, 'lookingfor invalid (not `Male` or `Female`)'],
    [30401, 'zippostalcode invalid for the country'],
    [30501, 'country invalid'],
  ],
  'search v2': [
    [31000, 'criterion value ill-formed (not a map)'],
    [31003, 'general criterion has neither value nor values'],
    [31004, 'range criterion lacks to and from, or values not numeric, or from higher than to'],
    [31005, 'age range values outside 18..120'],
    [
      31006,
      'geolocation criterion lacks within and of, or within not in the set -1, 20, 30, 40, 50, 150, 500, 1000',
    ],
    [31007, 'within of 20, 30, 40 or 50 used by a non-platinum member'],
    [31008, 'criterion only for platinum members'],
    [31009, 'criterion value(s) not legal for this criterion (e.g. smoking allows only 10, 20, 30, 40)'],
    [31010, 'country criterion not a valid two-letter ISO code'],
    [31011, "zipcode criterion illegal for the member's country"],
    [31012, 'age criterion missing (required for all searches; search only)'],
    [31013, 'more than one of zipcode, state, location given (search only)'],
  ],
  'search v1': [
    [40101, 'distance invalid'],
    [40201, 'only one of agefrom/ageto given'],
    [40202, 'age not numeric'],
    [40203, 'age range invalid (must be 18 to 120)'],
    [40301, 'lookingfor invalid'],
  ],
  'interaction limits': [[50001, 'maximum likes per day exceeded']],
  'messaging and profile access': [
    [80001, 'self send'],
    [80002, 'gender preferences do not match'],
    [80003, 'receiver deleted'],
    [80004, 'receiver has blocked sender'],
    [80005, 'sender has blocked receiver'],
    [
      80006,
      'receiver not searchable, not approved or rejected, has not messaged the sender, and is not a connection',
    ],
    [
      80007,
      'sender and receiver not in the same equivalence and recipient not opted into the group offering',
    ],
    [80008, 'member is not platinum (messaging 3.0)'],
    [80009, 'sender over limit'],
    [80010, "sender cannot send to receiver's country"],
    [80011, 'sender has not uploaded photos'],
    [80012, 'sender does not exist'],
    [80013, 'receiver does not exist'],
    [80014, 'receiver suspended'],
    [80015, 'receiver is admin'],
    [80016, 'failed to store message (rare; retry on receipt is the best policy)'],
  ],
  'profile access': [
    [80061, 'receiver hidden (not searchable)'],
    [80062, 'receiver new (not yet approved)'],
    [80063, 'receiver rejected'],
    [80064, 'receiver inaccessible for other undocumented reasons'],
    [80065, 'receiver inaccessible for an unknown reason (should never happen)'],
  ],
};

/** Every failure code of spec section 7, in the order of its tables. */
export const failureCodes: readonly FailureCodeEntry[] = (Object.keys(rows) as FailureGroup[]).flatMap(
  (group) => rows[group].map(([code, meaning]) => ({ code, group, meaning })),
);

const byCode = new Map(failureCodes.map((entry) => [entry.code, entry]));

/** The table's entry for a code, or undefined for an unknown code. */
export function failureCode(code: number): FailureCodeEntry | undefined {
  return byCode.get(code);
}
