/**
 * The catalogue fields of viewer and viewee that a search record, and whether it may be shown, follow from: a page of
 * results reads no others, which are the larger half of a document.
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
