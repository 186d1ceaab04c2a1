import request, { type Response } from 'supertest';
import { formOf, pathOf } from './sign-in.ts';

/** A browser with its cookies. It follows redirects within the system, and stops where one leads to an app. */
export interface Browser {
  /** Opens a path, or an address of the system. */
  open(address: string): Promise<Response>;
  /** Fills in the form of a page and sends it. */
  submit(page: Response, entries: object): Promise<Response>;
}

/** Starts a browser. */
export function openBrowser(base: string): Browser {
  const agent = request.agent(base);
  const { origin } = new URL(base);
  const follow = async (answer: Response): Promise<Response> => {
    const location = answer.get('Location');
    if (!location || new URL(location, base).origin !== origin) return answer;
    return follow(await agent.get(pathOf(location, base)).redirects(0));
  };
  return {
    open: async (address) => follow(await agent.get(pathOf(address, base)).redirects(0)),
    async submit(page, entries) {
      const { action, fields } = formOf(page.text);
      const sent = agent.post(pathOf(action, base)).redirects(0).type('form');
      return follow(await sent.send({ ...fields, ...entries }));
    },
  };
}
