import * as v from 'valibot'
import { countOption } from '../../kernel/index.ts'
import { SiteConfig } from '../content/page.ts'
import { Session, SiteId } from '../scope/port.ts'
import { RegisteredSite } from './port.ts'

export const SitesOptions = v.object({
  /**
   * Marks the content as a demo; a site without an adapter, or without pages, starts with the shipped demo
   * pages.
   */
  demoContent: v.optional(v.boolean(), false),
  /** The name of the site of this installation; the configured one by default. */
  siteName: v.optional(v.string()),
  /** The maximum number of bytes of the registration of one session. */
  maxRegistrationBytes: countOption(64 * 1024),
  maxSites: countOption(1_000),
  /** The maximum number of sessions of one site. */
  maxSessions: countOption(1_000),
})

const line = v.pipe(v.string(), v.maxLength(300), v.regex(/^\P{Cc}*$/u, 'must be one line'))
const OwnPages = v.pipe(v.record(line, line), v.maxEntries(20))

const required = (name: string) => v.pipe(v.string(), v.regex(/\S/, `${name} is required`))
/** Existing clients may send `null` or other values instead of omitting a field. */
const orNothing = <S extends v.GenericSchema<unknown, unknown>>(schema: S) =>
  v.fallback(v.optional(schema), undefined)

export const Registration = v.pipe(
  v.object({
    siteId: required('siteId'),
    name: required('name'),
    session: orNothing(v.string()),
    previewUrl: v.nullish(v.string()),
    port: orNothing(v.number()),
    purpose: v.nullish(v.string()),
    secret: v.nullish(v.pipe(v.string(), v.maxLength(1_000, 'secret must have at most 1000 characters'))),
    config: v.nullish(SiteConfig),
    ownPages: v.pipe(
      v.optional(OwnPages),
      v.description(
        'The addresses of pages that a file of the website makes, not its content, with that file.',
      ),
    ),
  }),
  v.examples([{ siteId: 'my-site', name: 'My site', previewUrl: 'https://my-site.example' }]),
)
export type Registration = v.InferOutput<typeof Registration>

export const Registered = v.object({
  status: v.picklist(['registered', 'unchanged']),
  /** As received. */
  siteId: v.string(),
  /** The name of the draft for clients: the session, after the site id unless it is the default site. */
  session: v.string(),
  /** The fields of this registration; earlier ones may exist. */
  config: v.object({ id: v.string(), ...RegisteredSite.entries }),
  warnings: v.array(v.string()),
})

export const SiteListed = v.object({
  id: v.string(),
  ...RegisteredSite.entries,
  siteName: v.string(),
  demoContent: v.boolean(),
  publishedUrl: v.pipe(
    v.optional(v.string()),
    v.description('Where editors see what is published, if that is not at the `previewUrl`.'),
  ),
  mounted: v.optional(
    v.pipe(
      v.literal(true),
      v.description('The website that mounts this service: without a previewUrl, it is at the same origin.'),
    ),
  ),
})

export const BlocksQuery = v.object({ session: Session, siteId: SiteId })
export const FramingQuery = v.object({
  session: Session,
  siteId: SiteId,
  slug: v.optional(v.pipe(v.string(), v.maxLength(1000), v.examples(['/'])), '/'),
  version: v.pipe(
    v.optional(v.picklist(['draft', 'published']), 'draft'),
    v.description('The draft, or what visitors see.'),
  ),
  editorOrigin: v.pipe(
    v.string(),
    v.url('must be the origin of an editor'),
    v.description('The origin of the page that has the frame.'),
    v.examples(['http://localhost:4200']),
  ),
})
export const FramingAnswer = v.object({
  state: v.pipe(
    v.picklist(['allowed', 'refused', 'elsewhere', 'unreachable']),
    v.description('`elsewhere` if the site leads to another origin, which is its `url`.'),
  ),
  url: v.string(),
  header: v.optional(v.pipe(v.string(), v.description('The header that refuses.'))),
  value: v.optional(v.string()),
  line: v.optional(
    v.pipe(v.string(), v.description('The header line with which the site lets the editor in.')),
  ),
})
export const ListQuery = v.object({ session: Session })
export const RemovalQuery = v.object({
  key: v.optional(v.string()),
  filter: v.optional(v.string()),
  accessToken: v.optional(v.string()),
})
export const Removal = v.object({
  removed: v.array(v.string()),
  remaining: v.pipe(v.number(), v.description('What is left, counted by site and session.')),
})
