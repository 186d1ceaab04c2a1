type Row = readonly [code: number, meaning: string];

/** Every failure code by group and name: number and meaning. */
const table = {
  registration: {
    unknownField: [10000, 'unknown field'],
    genderInvalid: [10001, 'gender not `Male` or `Female`'],
    genderPreferenceInvalid: [10002, 'genderpreference not `Male` or `Female`'],
    countryInvalid: [10011, 'country not valid'],
    firstNameLength: [10021, 'firstname empty or too long (limit 100)'],
    lastNameLength: [10022, 'lastname empty or too long (limit 100)'],
    latitudeInvalid: [10031, 'latitude invalid'],
    longitudeInvalid: [10032, 'longitude invalid'],
    zipLength: [10041, 'zip empty or too long (limit 20)'],
    cityLength: [10051, 'city empty or too long (limit 255)'],
    stateLength: [10061, 'state empty or too long (limit 45)'],
    usernameTaken: [10101, 'username already in use'],
    usernameInvalid: [10102, 'username has illegal characters'],
    passwordInvalid: [10201, 'password minimum length and/or other restrictions not met'],
    emailInvalid: [10301, 'email format invalid'],
    emailTaken: [10302, 'email already in use'],
    birthDateInvalid: [10401, 'dateofbirth format invalid'],
    ageBelowMinimum: [10402, 'minimum age not met'],
    headlineLength: [10501, 'headline empty or too long (over 75)'],
    aboutMeLength: [10601, 'aboutme empty or too long (over 1,500)'],
    affiliateSuspended: [10701, 'affiliate suspended; call /recordaffiliatehit for a redirect URL'],
  },
  photo: {
    imageMissing: [11201, 'neither image nor imageurl given (one required)'],
    imageAndUrl: [11202, 'both image and imageurl given (only one allowed)'],
    photoLimitReached: [11203, 'member already has the maximum number of uploaded photos'],
    imageUnprocessable: [11204, 'image could not be processed after upload'],
    imageTooLarge: [11205, 'image too large (cap around 5 MB)'],
    imageTypeUnsupported: [11206, 'image type not acceptable (allowed: BMP, GIF, ICO, JPG, PNG)'],
    photoIdMissing: [11301, 'photoid missing'],
    photoIdNotNumeric: [11302, 'photoid not numeric'],
    photoNotFound: [11303, 'photo does not exist or does not belong to the member'],
  },
  'profile update': {
    updatedGenderInvalid: [20101, 'invalid gender'],
    genderChangesExceeded: [20102, 'gender changes exceeded'],
    updatedCountryInvalid: [20201, 'invalid country'],
    updatedZipInvalid: [20301, 'invalid zip (or zippostalcode)'],
    updatedBirthDateInvalid: [20401, 'dateofbirth not a valid date'],
    birthDateChangesExceeded: [20402, 'dateofbirth changes exceeded'],
    updatedAgeBelowMinimum: [20403, 'minimum age not met'],
    updatedEmailInvalid: [20501, 'email not valid'],
    updatedEmailTaken: [20502, 'email already in use on this site'],
    displayNamePreferenceInvalid: [20701, 'display_name_preference must be `nickname` or `firstname`'],
    onlineInvalid: [20702, 'online must be true or false'],
    worldPlusInvalid: [20703, 'world_plus must be `opted-in`, `opted-out` or `undecided`'],
    deactivatedInvalid: [20704, 'deactivated must be true or false'],
    settingInvalid: [20801, 'setting not valid'],
    valueNotListed: [20901, 'value(s) out of range of the expected list'],
  },
  'saved searches': {
    searchNameMissing: [20222, 'name not provided'],
    searchNameLength: [20223, 'name empty or too long (limit 32)'],
    searchIdGiven: [20224, 'id was provided (not accepted here)'],
    searchNameTaken: [20225, 'a saved search with this name already exists'],
  },
  'match criteria v1': {
    matchV1DistanceInvalid: [30101, 'distance invalid'],
    matchV1AgeIncomplete: [30201, 'only one of agefrom/ageto given'],
    matchV1AgeNotNumeric: [30202, 'age not numeric'],
    matchV1AgeOutOfRange: [30203, 'age range invalid (must be 18 to 120)'],
    matchV1LookingForInvalid: [30301, 'lookingfor invalid (not `Male` or `Female`)'],
    matchV1ZipInvalid: [30401, 'zippostalcode invalid for the country'],
    matchV1CountryInvalid: [30501, 'country invalid'],
  },
  'search v2': {
    criterionNotMap: [31000, 'criterion value ill-formed (not a map)'],
    criterionWithoutValue: [31003, 'general criterion has neither value nor values'],
    rangeInvalid: [31004, 'range criterion lacks to and from, or values not numeric, or from higher than to'],
    ageOutOfRange: [31005, 'age range values outside 18..120'],
    locationInvalid: [
      31006,
      'geolocation criterion lacks within and of, or within not in the set -1, 20, 30, 40, 50, 150, 500, 1000',
    ],
    withinForPlatinumOnly: [31007, 'within of 20, 30, 40 or 50 used by a non-platinum member'],
    criterionForPlatinumOnly: [31008, 'criterion only for platinum members'],
    criterionValueInvalid: [
      31009,
      'criterion value(s) not legal for this criterion (e.g. smoking allows only 10, 20, 30, 40)',
    ],
    criterionCountryInvalid: [31010, 'country criterion not a valid two-letter ISO code'],
    criterionZipInvalid: [31011, "zipcode criterion illegal for the member's country"],
    ageMissing: [31012, 'age criterion missing (required for all searches; search only)'],
    placeCriteriaConflict: [31013, 'more than one of zipcode, state, location given (search only)'],
  },
  'search v1': {
    searchV1DistanceInvalid: [40101, 'distance invalid'],
    searchV1AgeIncomplete: [40201, 'only one of agefrom/ageto given'],
    searchV1AgeNotNumeric: [40202, 'age not numeric'],
    searchV1AgeOutOfRange: [40203, 'age range invalid (must be 18 to 120)'],
    searchV1LookingForInvalid: [40301, 'lookingfor invalid'],
  },
  'interaction limits': {
    dailyLikesExceeded: [50001, 'maximum likes per day exceeded'],
  },
  'messaging and profile access': {
    receiverIsSender: [80001, 'self send'],
    genderPreferenceMismatch: [80002, 'gender preferences do not match'],
    receiverDeleted: [80003, 'receiver deleted'],
    senderBlocked: [80004, 'receiver has blocked sender'],
    receiverBlocked: [80005, 'sender has blocked receiver'],
    receiverUnavailable: [
      80006,
      'receiver not searchable, not approved or rejected, has not messaged the sender, and is not a connection',
    ],
    receiverOutsideGroup: [
      80007,
      'sender and receiver not in the same equivalence and recipient not opted into the group offering',
    ],
    senderNotPlatinum: [80008, 'member is not platinum (messaging 3.0)'],
    senderOverLimit: [80009, 'sender over limit'],
    receiverCountryExcluded: [80010, "sender cannot send to receiver's country"],
    senderWithoutPhoto: [80011, 'sender has not uploaded photos'],
    senderNotFound: [80012, 'sender does not exist'],
    receiverNotFound: [80013, 'receiver does not exist'],
    receiverSuspended: [80014, 'receiver suspended'],
    receiverIsAdmin: [80015, 'receiver is admin'],
    messageNotStored: [80016, 'failed to store message (rare; retry on receipt is the best policy)'],
  },
  'profile access': {
    receiverHidden: [80061, 'receiver hidden (not searchable)'],
    receiverNew: [80062, 'receiver new (not yet approved)'],
    receiverRejected: [80063, 'receiver rejected'],
    receiverInaccessible: [80064, 'receiver inaccessible for other undocumented reasons'],
    accessUnknown: [80065, 'receiver inaccessible for an unknown reason (should never happen)'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** The operations that return a code. */
export type FailureGroup = keyof typeof table;

/** The name of a code in the source. */
type FailureName = { [Group in FailureGroup]: keyof (typeof table)[Group] }[FailureGroup];

/** A row of the table. */
export interface FailureCode {
  readonly code: number;
  readonly name: string;
  readonly group: FailureGroup;
  readonly meaning: string;
}

/** Every failure code, in the order of the table. */
export const failureCodes: readonly FailureCode[] = Object.entries(table).flatMap(([group, rows]) =>
  Object.entries<Row>(rows).map(([name, [code, meaning]]) => ({
    code,
    name,
    group: group as FailureGroup,
    meaning,
  })),
);

/** The numbers by name: `failCodes.receiverHidden` is 80061. */
export const failCodes = Object.fromEntries(failureCodes.map(({ name, code }) => [name, code])) as Readonly<
  Record<FailureName, number>
>;

const byCode = new Map(failureCodes.map((entry) => [entry.code, entry]));

/** The row of a number; undefined for one that is not in the table. */
export function failureCode(code: number): FailureCode | undefined {
  return byCode.get(code);
}
