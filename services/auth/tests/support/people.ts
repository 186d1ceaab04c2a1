/** A member that can sign in. */
export interface TestMember {
  readonly member_id: string;
  readonly id: number;
  readonly siteid: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A client application of the tests. */
export interface TestClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
}
