import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { Session, SiteId } from '../scope/port.ts'
import { tooManyPeople, reportedTooOften } from './refusals.ts'

/** One line of plain text; nothing in it can turn the direction of the text around it. */
const line = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(maxLength),
    v.regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u, 'must be one line of plain text'),
  )

/** Joiners and selectors, which shape the letters and pictures around them. */
const shaping = /\u200c|\u200d|\p{Variation_Selector}/gu
/** What shows nothing: ignorable characters, spaces other than the usual one, and letters that are drawn empty. */
const invisible = /\p{Default_Ignorable_Code_Point}|\p{C}|\u2800|\u{16fe4}|(?! )\p{Z}/u
const isSeen = (name: string): boolean =>
  !invisible.test(name.replace(shaping, '')) &&
  name.replace(shaping, '').trim() !== '' &&
  !/^(?:\u200c|\u200d)|(?:\u200c|\u200d)$/u.test(name)

const PresenceBody = v.object({
  session: Session,
  siteId: SiteId,
  name: v.pipe(
    line(60),
    v.nonEmpty('must say who this is'),
    v.check(isSeen, 'must be a name that people can see, without invisible characters'),
    v.description('What others call this person.'),
    v.examples(['Ana']),
  ),
  slug: v.pipe(line(300), v.nonEmpty('slug is required'), v.examples(['/'])),
  blockId: v.optional(line(200)),
  path: v.optional(
    v.pipe(line(300), v.description('The field that has the caret, such as `cards[0].title`.')),
  ),
  client: v.optional(
    v.pipe(
      line(100),
      v.minLength(16),
      v.description('A random text that only this client knows; default: its token or address.'),
      v.examples(['5f0c8a52-3f1d-4b8e-9d2a-6f2f6a1f7a10']),
    ),
  ),
  left: v.optional(v.pipe(v.boolean(), v.description('True when the person leaves the draft.')), false),
})

export const routes = defineRoutes({
  tell: {
    method: 'POST',
    path: '/presence',
    gate: gates.access,
    can: 'read',
    summary: 'Says where a person is in a draft, for 15 seconds; others see it in the events of the draft.',
    body: PresenceBody,
    replies: {
      200: v.object({ client: v.pipe(v.string(), v.description('The id of this client in the events.')) }),
    },
    refusals: [reportedTooOften, tooManyPeople],
  },
})
