/** A member that can sign in. */
export interface TestMember {
  readonly member_id: string;
  readonly id: number;
  readonly siteid: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A client application of the tests, as a browser sees it. */
export interface ShownClient {
  readonly client_id: string;
  readonly redirect_uri: string;
}

/** A client application of the tests. */
export interface TestClient extends ShownClient {
  readonly client_secret: string;
}
