"""Registers a member, reads the own record, searches and likes."""

from os import environ as given

from openapi_client import (
    AgeCriterion,
    ApiClient,
    ApiException,
    CodeCriterion,
    Configuration,
    Failure,
    Gender,
    GetTokensRequest,
    InterestApi,
    LikeMemberRequest,
    LocationCriterion,
    MembersApi,
    RegisterMemberRequest,
    SearchApi,
    SearchMembersRequest,
    SignInApi,
)

configuration = Configuration(host=given["BASE_URL"])
client = ApiClient(configuration)
members = MembersApi(client)

registered = members.register_member(
    RegisterMemberRequest(
        client_id=given["CLIENT_ID"],
        client_secret=given["CLIENT_SECRET"],
        siteid=1,
        gender=Gender.FEMALE,
        gender_preference=Gender.MALE,
        date_of_birth="04/23/1990",
        username=given["MEMBER_USERNAME"],
        password=given["MEMBER_PASSWORD"],
        email=given["MEMBER_EMAIL"],
        country="US",
        zip="68502",
        smoking=10,
    )
)
tokens = SignInApi(client).get_tokens(
    GetTokensRequest(
        grant_type="authorization_code",
        client_id=given["CLIENT_ID"],
        client_secret=given["CLIENT_SECRET"],
        redirect_uri=given["REDIRECT_URI"],
        code=registered.code,
    )
)
configuration.access_token = tokens.access_token

own = members.get_own_record()
answers = {answer.name: answer for group in own.answers for answer in group.fields}
print("own", own.username, "smoking", answers["smoking"].code)

questions = {question.name: question for question in members.list_questions().questions}
print("choices", *(choice.code for choice in questions["smoking"].values))

page = SearchApi(client).search_members(
    SearchMembersRequest(
        age=AgeCriterion(var_from=30, to=45),
        location=LocationCriterion(within=150),
        smoking=CodeCriterion(values=[10, 20]),
        sortby="relevance",
    )
)
print("found", *(user.id for user in page.users))

other = page.users[0].id
InterestApi(client).like_member(LikeMemberRequest(profileid=other))
print("relation", members.get_member(other).covalence.value)

print("archive smoking", members.export_member().profile.fields.smoking)

try:
    members.get_member(999_999_999)
except ApiException as refused:
    print("refused", refused.status, Failure.from_json(refused.body).failcode)
