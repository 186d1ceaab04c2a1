import {
  Configuration,
  FailureFromJSON,
  Gender,
  GetTokensRequestGrantTypeEnum,
  InterestApi,
  LocationCriterionWithinEnum,
  MembersApi,
  ResponseError,
  SearchApi,
  SearchMembersRequestSortbyEnum,
  SignInApi,
} from './client/index.js';

/** Registers a member, reads the own record, searches and likes. */

const given = (name: string) => process.env[name] ?? '';

let accessToken = '';
const configuration = new Configuration({ basePath: given('BASE_URL'), accessToken: () => accessToken });
const members = new MembersApi(configuration);

const app = { clientId: given('CLIENT_ID'), clientSecret: given('CLIENT_SECRET') };
const { code } = await members.registerMember({
  registerMemberRequest: {
    ...app,
    siteid: 1,
    gender: Gender.Female,
    genderPreference: Gender.Male,
    dateOfBirth: '04/23/1990',
    username: given('MEMBER_USERNAME'),
    password: given('MEMBER_PASSWORD'),
    email: given('MEMBER_EMAIL'),
    country: 'US',
    zip: '68502',
    smoking: 10,
  },
});
const tokens = await new SignInApi(configuration).getTokens({
  getTokensRequest: {
    ...app,
    grantType: GetTokensRequestGrantTypeEnum.AUTHORIZATION_CODE,
    redirectUri: given('REDIRECT_URI'),
    code,
  },
});
accessToken = tokens.accessToken;

const own = await members.getOwnRecord();
const smoking = own.answers.flatMap(({ fields }) => fields).find(({ name }) => name === 'smoking');
console.log('own', own.username, 'smoking', smoking?.code);

const { questions } = await members.listQuestions({});
const question = questions.find(({ name }) => name === 'smoking');
console.log('choices', ...(question?.values ?? []).map((choice) => choice.code));

const page = await new SearchApi(configuration).searchMembers({
  searchMembersRequest: {
    age: { from: 30, to: 45 },
    location: { within: LocationCriterionWithinEnum.MILES_150 },
    smoking: { values: [10, 20] },
    sortby: SearchMembersRequestSortbyEnum.RELEVANCE,
  },
});
console.log('found', ...page.users.map(({ id }) => id));

const profileid = page.users[0]?.id ?? 0;
await new InterestApi(configuration).likeMember({ likeMemberRequest: { profileid } });
console.log('relation', (await members.getMember({ profileid })).covalence);

console.log('archive smoking', (await members.exportMember()).profile.fields.smoking);

await members.getMember({ profileid: 999_999_999 }).catch(async (error: unknown) => {
  if (!(error instanceof ResponseError)) throw error;
  const failure = FailureFromJSON(await error.response.json());
  console.log('refused', error.response.status, failure.failcode);
});
