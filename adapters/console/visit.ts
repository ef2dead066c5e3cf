import type { Instant } from '#domain';
import type { Actor } from '../../application/audit/audit-log.ts';
import type { From, SignedIn, Started } from '../../application/people/keep-sessions.ts';
import type { Right } from '../../application/people/roles.ts';
import type { ErrorCode } from '../kit/contract/error-codes.ts';
import type { Html } from '../kit/web/pages/html.ts';
import type { Form } from '../kit/web/pipeline/form.ts';

/** A request to a page of the console. */
export interface Visit {
  /** The form that was sent; an empty one where none was. */
  readonly form: Form;
  readonly now: Instant;
  readonly from: From;
  /** A parameter of the path; empty if the page has none of that name. */
  parameter(name: string): string;
  /** A parameter of the address; undefined if it is absent or repeated. */
  query(name: string): string | undefined;
  /** The address of a page, for links and forms. @param path below `/console` */
  at(path: string): string;
  /** Gives the browser the secret of a session. */
  open(started: Started): void;
  /** What the address says after `?`, with it. */
  readonly search: string;
  /** Lets the browser keep a text for some minutes, sealed for a purpose. */
  keep(purpose: string, text: string): void;
  /** Takes the text back that it has kept for the purpose; undefined for any other. */
  take(purpose: string): string | undefined;
  /** Takes the session from the browser, and what it has kept of the pages. */
  close(): void;
}

/** A request of a person who has signed in. */
export interface OwnVisit extends Visit {
  /** With the role and channel that the pages are shown for: an administrator may look as a partner. */
  readonly who: SignedIn;
  readonly actor: Actor;
  /** The only channel whose data may be shown; absent: all channels are. */
  readonly channelLink?: string;
  /** Whether nothing can be changed: an administrator looks as the channel. */
  readonly isLooking?: true;
}

/** What a page answers. */
export type SentAnswer =
  | {
      readonly title: string;
      readonly content: Html;
      readonly status?: number;
      /** With a status of 400 or above. */
      readonly errorCode?: ErrorCode;
    }
  /** To be kept as a file. */
  | {
      readonly file: {
        readonly name: string;
        readonly type: string;
        readonly bytes: Buffer | AsyncIterable<string | Uint8Array>;
      };
    }
  /** Below `/console`. */
  | { readonly goTo: string }
  /** A page of another service. */
  | { readonly goOut: string };

/** `proveFirst`: the page asks for the second factor first, as delicate pages do. */
export type Answer = SentAnswer | { readonly proveFirst: true };

interface Place {
  readonly method: 'get' | 'post';
  /** Below `/console`, with `:parameters`. */
  readonly path: string;
}

/** A page for everybody. */
export interface OpenPage extends Place {
  readonly isOpen: true;
  readonly answer: (visit: Visit) => SentAnswer | Promise<SentAnswer>;
}

/** A page for people who have signed in. */
export interface OwnPage extends Place {
  readonly isOpen?: false;
  /** What the role of the person must allow; absent: the page is for every role. */
  readonly right?: Right;
  /** Whether the second factor must have been given in the last ten minutes. */
  readonly isDelicate?: true;
  /** Whether the form only asks: then people may send it who may change nothing. */
  readonly isQuestion?: true;
  /** Whether it answers with a file: few are made and read at once, as in the API. */
  readonly isFile?: true;
  readonly answer: (visit: OwnVisit) => Answer | Promise<Answer>;
}

export type Page = OpenPage | OwnPage;
