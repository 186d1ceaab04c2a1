/** An answer 202: the call was accepted, and takes effect later. */
export class Accepted<Body extends object = object> {
  readonly body: Body;
  constructor(body: Body) {
    this.body = body;
  }
}
