import * as v from 'valibot'
import { explained, optionally } from '../content/plain-object.ts'
import { Page, SiteConfig } from '../content/page.ts'
import { Locked, lockedWords } from '../content/locked.ts'
import { settingsOf } from '../content/redirects.ts'
import { withoutNullSettings } from '../content/settings-form.ts'
import { ShownText } from '../content/shown-text.ts'
import { Unreadable } from '../content/read-pages.ts'
import { describedBy } from '../../kernel/index.ts'
import { draftFields, RequiredSlug } from '../scope/port.ts'
import { ActorShown, Client } from './actor.ts'
import { BaseVersion, changeFields } from './change.ts'
import { PageRename } from './renames.ts'

export const PageQuery = v.object({ ...draftFields, slug: RequiredSlug })
export const DraftQuery = v.object(draftFields)
export const ConfigQuery = v.object({
  ...draftFields,
  redirects: optionally(
    v.literal('1'),
    'Also returns `redirects`, from former address to target, as the operation `update_site_config` takes them; absent if the site takes none.',
  ),
})

export const DraftView = v.object({
  page: v.pipe(v.nullable(Page), v.description('`null` if the draft has no page at this slug.')),
  slugs: v.pipe(v.array(v.string()), v.description('The slugs of all pages, home first.')),
  siteConfig: v.looseObject(SiteConfig.entries),
  redirects: v.pipe(
    v.record(v.string(), v.string()),
    v.description('From former address to target; empty if the site takes none.'),
  ),
})

export const SlugList = v.object({
  /** `/` first if present, the rest in draft order. */
  slugs: v.array(v.string()),
  pages: v.array(
    v.object({
      slug: v.string(),
      title: v.string(),
      updatedAt: v.string(),
      blockCount: v.number(),
      conflicts: explained(
        v.optional(v.number()),
        'How many values were changed on the site as well, when the draft was compared with it last; absent for none.',
      ),
    }),
  ),
  unreadable: explained(
    v.optional(v.array(Unreadable)),
    'Pages of the site that are not in the draft, because they cannot be used.',
  ),
  locked: explained(v.optional(v.array(Locked)), lockedWords),
  notice: explained(
    v.optional(v.string()),
    'Why a draft that never had a page is empty, and the remedy; or that pages of the site cannot be read.',
  ),
  message: ShownText,
})

/** Any value other than a string counts as absent if a default exists. */
const lenientText = v.optional(v.fallback(v.optional(v.string()), undefined))

const Pages = explained(
  v.array(Page),
  'Page documents; invalid ones are listed in `refused`. Without any, nothing changes.',
)
const Overwrite = explained(
  v.boolean(),
  'Changes pages that are there; only `true` counts. What equals the site, as it is or was, leaves the draft as it is.',
)
const bootstrapExample = {
  session: 'dev',
  siteId: 'my-site',
  pages: [{ id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }],
}

const Config = v.looseObject(SiteConfig.entries)
/** The config of a site, in which `null` counts as absent. */
const GivenConfig = v.optional(
  v.pipe(
    v.unknown(),
    describedBy(v.nullish(Config)),
    v.transform(withoutNullSettings),
    v.optional(v.pipe(Config, v.transform(settingsOf))),
  ),
)

export const BootstrapBody = v.pipe(
  v.object({
    session: lenientText,
    siteId: lenientText,
    pages: v.optional(v.pipe(v.unknown(), describedBy(Pages))),
    siteConfig: explained(
      GivenConfig,
      'The config that the site publishes. Keys that the draft has stay as they are, unless `overwrite` is `true`.',
    ),
    overwrite: v.optional(v.pipe(v.unknown(), describedBy(Overwrite))),
    siteOrigin: explained(
      lenientText,
      'Where the pages come from; refused when it contradicts the address that the site registered.',
    ),
    origin: explained(lenientText, 'Another name for `siteOrigin`.'),
    baseVersion: BaseVersion,
    client: Client,
  }),
  v.examples([bootstrapExample]),
)

const Slugs = v.array(v.string())
export const Skipped = v.object({
  status: v.literal('skipped'),
  reason: v.picklist(['recently_restored', 'already_initialized', 'no_pages']),
  slugs: Slugs,
})
export type Skipped = v.InferOutput<typeof Skipped>
export const Bootstrapped = v.object({
  status: v.literal('bootstrapped'),
  count: v.number(),
  slugs: Slugs,
  previewVersion: v.number(),
  refused: v.array(Unreadable),
})
export type Bootstrapped = v.InferOutput<typeof Bootstrapped>

export const ConfigBody = v.pipe(
  v.object({ ...changeFields, config: SiteConfig }),
  v.examples([{ session: 'dev', siteId: 'demo', config: { tone: 'friendly' } }]),
)

/** The complete site config of a draft, with its editing guidance. */
export const StoredSiteConfig = v.pipe(
  v.looseObject(SiteConfig.entries),
  v.title('StoredSiteConfig'),
  v.description(
    'Site-wide settings: those that a publish sends, and `purpose`, `tone` and `constraints` as they are registered.',
  ),
)
export const ConfigSaved = v.object({ status: v.literal('ok'), config: StoredSiteConfig })

/** An entry of the version log. */
export const ShownEntry = v.object({
  version: v.number(),
  slug: v.string(),
  summary: v.string(),
  opTypes: v.array(v.string()),
  opCount: v.number(),
  at: v.string(),
  source: v.string(),
  actor: ActorShown,
  channel: v.string(),
  slugs: v.array(v.string()),
  removedSlugs: v.optional(v.array(v.string())),
  configChanged: v.optional(v.boolean()),
  of: optionally(v.array(v.number()), 'The versions that an undo or a redo undid or redid.'),
  label: optionally(v.string(), 'What the change did that an undo, a redo or a restore is about.'),
  restored: optionally(v.number(), 'The version of a restore, also in its undo and redo.'),
  renamed: v.optional(v.array(PageRename)),
})
export type ShownEntry = v.InferOutput<typeof ShownEntry>
/** What others say of an entry of the version log. */
export const ofChange = ['version', 'at', 'summary', 'source', 'label', 'restored', 'actor'] as const
