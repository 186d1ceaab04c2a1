import java.util.List;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.InterestApi;
import org.openapitools.client.api.MembersApi;
import org.openapitools.client.api.SearchApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.model.AgeCriterion;
import org.openapitools.client.model.CodeCriterion;
import org.openapitools.client.model.Failure;
import org.openapitools.client.model.Gender;
import org.openapitools.client.model.GetTokensRequest;
import org.openapitools.client.model.LikeMemberRequest;
import org.openapitools.client.model.LocationCriterion;
import org.openapitools.client.model.RegisterMemberRequest;
import org.openapitools.client.model.SearchMembersRequest;

/** Registers a member, reads the own record, searches and likes. */
public final class Journey {
  private static String given(String name) {
    return System.getenv(name);
  }

  private static String words(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(given("BASE_URL"));
    var members = new MembersApi(client);
    var registered = members.registerMember(new RegisterMemberRequest()
        .clientId(given("CLIENT_ID"))
        .clientSecret(given("CLIENT_SECRET"))
        .siteid(1)
        .gender(Gender.FEMALE)
        .genderPreference(Gender.MALE)
        .dateOfBirth("04/23/1990")
        .username(given("MEMBER_USERNAME"))
        .password(given("MEMBER_PASSWORD"))
        .email(given("MEMBER_EMAIL"))
        .country("US")
        .zip("68502")
        .smoking(10));
    var tokens = new SignInApi(client).getTokens(new GetTokensRequest()
        .grantType(GetTokensRequest.GrantTypeEnum.AUTHORIZATION_CODE)
        .clientId(given("CLIENT_ID"))
        .clientSecret(given("CLIENT_SECRET"))
        .redirectUri(java.net.URI.create(given("REDIRECT_URI")))
        .code(registered.getCode()));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + tokens.getAccessToken()));
    // An API object reads the interceptor when it is created.
    var signedIn = new MembersApi(client);

    var own = signedIn.getOwnRecord();
    var smoking = own.getAnswers().stream()
        .flatMap(group -> group.getFields().stream())
        .filter(answer -> answer.getName().equals("smoking"))
        .findFirst().orElseThrow();
    System.out.println("own " + own.getUsername() + " smoking " + smoking.getCode());

    var question = signedIn.listQuestions(null, null, null).getQuestions().stream()
        .filter(one -> one.getName().equals("smoking"))
        .findFirst().orElseThrow();
    System.out.println("choices " + words(question.getValues().stream().map(one -> one.getCode()).toList()));

    var page = new SearchApi(client).searchMembers(new SearchMembersRequest()
        .age(new AgeCriterion().from(30.0).to(45.0))
        .location(new LocationCriterion().within(LocationCriterion.WithinEnum.MILES_150))
        .smoking(new CodeCriterion().values(List.of(10, 20)))
        .sortby(SearchMembersRequest.SortbyEnum.RELEVANCE));
    System.out.println("found " + words(page.getUsers().stream().map(one -> one.getId()).toList()));

    var other = page.getUsers().get(0).getId();
    new InterestApi(client).likeMember(new LikeMemberRequest().profileid(other));
    System.out.println("relation " + signedIn.getMember(other).getCovalence());

    System.out.println("archive smoking " + signedIn.exportMember().getProfile().getFields().getSmoking());

    try {
      signedIn.getMember(999_999_999);
    } catch (ApiException refused) {
      var failure = client.getObjectMapper().readValue(refused.getResponseBody(), Failure.class);
      System.out.println("refused " + refused.getCode() + " " + failure.getFailcode());
    }
  }
}
