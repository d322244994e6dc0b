import * as v from 'valibot'
import { explained, type Immutable, optionally } from '../content/plain-object.ts'

/** A browser that states itself, with the name of its person. */
const Browser = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 visible ASCII characters'),
    v.description('A random text that is made once per browser.'),
    v.examples(['5f0c8a52-3f1d-4b8e-9d2a-6f2f6a1f7a10']),
  ),
  name: v.nullish(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(60),
      v.regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u, 'must be one line of plain text'),
      v.description('What others call the person.'),
    ),
  ),
})

/** The body field with the browser that a change comes from. */
export const Client = explained(
  v.nullish(Browser),
  'The browser that sends this, which the log shows; not verified. Requests without it count as from one browser.',
)

/** The query parameter of reads that depend on the browser. */
export const ClientQuery = optionally(
  Browser.entries.id,
  'The browser that asks, by the `client.id` of its changes. Requests without it count as one.',
)

/** Returns the browser that a body, or a query, states as its `client`. */
export function browserOf(given: unknown): Actor['browser'] {
  const { success, output } = v.safeParse(Browser, typeof given === 'string' ? { id: given } : given)
  return success ? { id: output.id, ...(output.name && { name: output.name }) } : undefined
}

/** Who changed a draft, as the log shows it. */
export const ActorShown = v.object({
  kind: v.string(),
  id: v.optional(v.string()),
  name: explained(v.optional(v.string()), 'The name of the scoped token.'),
  client: explained(v.optional(v.string()), 'The name that an agent program states; not verified.'),
  browser: explained(
    v.optional(v.object({ id: v.string(), name: v.optional(v.string()) })),
    'The `client` that the request stated; not verified.',
  ),
})

/** Who changed a draft; the id is that of the caller if a gate knows one, and never a credential. */
export interface Actor extends Immutable<v.InferOutput<typeof ActorShown>> {
  readonly kind: 'person' | 'program' | 'agent' | 'system'
}

/**
 * Whether two changes are of the same person or program: where a token proves that, by the token, else by the
 * browser that they state. People who state none count as one.
 */
export const isSameActor = (a: Actor, b: Actor): boolean =>
  a.kind === b.kind &&
  (a.kind === 'person' ? a.browser?.id === b.browser?.id : a.id === b.id && a.client === b.client)

/** Whether an edit decides a conflict at its place: an agent names the conflicts that it decides. */
export const decidesByEdits = ({ kind }: Actor): boolean => kind !== 'agent' && kind !== 'system'

/** Returns a text that tells people apart, by token or browser; `undefined` for those who state none. */
export const personOf = ({ kind, id, browser }: Actor): string | undefined =>
  browser && (kind === 'program' ? `token ${id}` : `browser ${browser.id}`)
