/**
 * The catalogue fields that search records and their eligibility depend on. A page of results reads only these.
 */
export const fieldsOfSearchRecords: readonly string[] = [
  'about_me',
  'city',
  'country',
  'date_of_birth',
  'display_name_preference',
  'first_name',
  'gender',
  'gender_preference',
  'headline',
  'last_name',
  'latitude',
  'locale',
  'longitude',
  'marital_status',
  'p_mood',
  'searchable',
  'state',
  'username',
  'world_plus',
  'zip',
];
