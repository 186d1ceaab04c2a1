import io.ktor.util.reflect.typeInfo
import kotlinx.coroutines.runBlocking
import org.openapitools.client.apis.InterestApi
import org.openapitools.client.apis.MembersApi
import org.openapitools.client.apis.SearchApi
import org.openapitools.client.apis.SignInApi
import org.openapitools.client.models.AgeCriterion
import org.openapitools.client.models.CodeCriterion
import org.openapitools.client.models.Failure
import org.openapitools.client.models.Gender
import org.openapitools.client.models.GetTokensRequest
import org.openapitools.client.models.LikeMemberRequest
import org.openapitools.client.models.LocationCriterion
import org.openapitools.client.models.RegisterMemberRequest
import org.openapitools.client.models.SearchMembersRequest

fun given(name: String): String = System.getenv(name)

/** Registers a member, reads the own record, searches and likes. */
fun main() = runBlocking {
    val base = given("BASE_URL")
    val members = MembersApi(base)
    val registered = members.registerMember(
        RegisterMemberRequest(
            clientId = given("CLIENT_ID"),
            clientSecret = given("CLIENT_SECRET"),
            siteid = 1,
            gender = Gender.Female,
            genderPreference = Gender.Male,
            dateOfBirth = "04/23/1990",
            username = given("MEMBER_USERNAME"),
            password = given("MEMBER_PASSWORD"),
            email = given("MEMBER_EMAIL"),
            country = "US",
            zip = "68502",
            smoking = 10,
        ),
    ).body()
    val tokens = SignInApi(base).getTokens(
        GetTokensRequest(
            grantType = GetTokensRequest.GrantType.AUTHORIZATION_CODE,
            clientId = given("CLIENT_ID"),
            clientSecret = given("CLIENT_SECRET"),
            redirectUri = given("REDIRECT_URI"),
            code = registered.code,
        ),
    ).body()
    members.setBearerToken(tokens.accessToken)

    val own = members.getOwnRecord().body()
    val smoking = own.answers.flatMap { it.fields }.first { it.name == "smoking" }
    println("own ${own.username} smoking ${smoking.code}")

    val questions = members.listQuestions().body().questions
    println("choices ${questions.first { it.name == "smoking" }.propertyValues?.joinToString(" ") { "${it.code}" }}")

    val search = SearchApi(base)
    search.setBearerToken(tokens.accessToken)
    val page = search.searchMembers(
        SearchMembersRequest(
            age = AgeCriterion(from = 30.0, to = 45.0),
            location = LocationCriterion(within = LocationCriterion.Within.MILES_150),
            smoking = CodeCriterion(propertyValues = listOf(10, 20)),
            sortby = SearchMembersRequest.Sortby.RELEVANCE,
        ),
    ).body()
    println("found ${page.users.joinToString(" ") { "${it.id}" }}")

    val interest = InterestApi(base)
    interest.setBearerToken(tokens.accessToken)
    interest.likeMember(LikeMemberRequest(profileid = page.users.first().id)).body()
    println("relation ${members.getMember(page.users.first().id).body().covalence}")

    println("archive smoking ${members.exportMember().body().profile.fields.smoking}")

    val refused = members.getMember(999_999_999)
    println("refused ${refused.status} ${refused.typedBody<Failure>(typeInfo<Failure>()).failcode}")
}
