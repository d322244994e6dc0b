import * as v from 'valibot'
import { Locked, lockedWords } from '../locked.ts'
import { described } from '../plain-object.ts'
import { Unreadable } from '../read-pages.ts'
import { ShownText } from '../shown-text.ts'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Value = v.exactOptional(v.unknown())

export const FieldDiff = described(
  'FieldDiff',
  'One value that differs; a side that lacks the value lacks its key.',
  v.object({
    /** Such as `items[1].q`; a name with dots or brackets is quoted: `data["a.b"]`. */
    path: v.string(),
    before: Value,
    after: Value,
    kind: v.picklist(['text', 'image', 'other']),
    conflict: v.exactOptional(
      v.pipe(v.string(), v.description('The conflict about this value, in a diff of a publish.')),
    ),
  }),
)
export type FieldDiff = v.InferOutput<typeof FieldDiff>

const blockWords = 'The diff of one block. Positions count from 0; the side that lacks the block has none.'

export const BlockDiff = described(
  'BlockDiff',
  blockWords,
  v.object({
    blockId: v.string(),
    /** The type in the draft, or the published type of a removed block. */
    type: v.string(),
    status: v.picklist(['added', 'removed', 'modified', 'moved', 'unchanged']),
    /** Zero-based; absent on the side that lacks the block. */
    positionBefore: v.exactOptional(Count),
    positionAfter: v.exactOptional(Count),
    /** Only of a modified block. */
    fieldDiffs: v.exactOptional(v.array(FieldDiff)),
  }),
)
export type BlockDiff = v.InferOutput<typeof BlockDiff>

/** The diff of one page: every block of either side, draft order first. */
export const PageDiff = described(
  'PageDiff',
  'The diff of one page. Titles are present only if they differ.',
  v.object({
    slug: v.string(),
    slugBefore: v.exactOptional(
      v.pipe(v.string(), v.description('The published slug of a page that was renamed.')),
    ),
    status: v.picklist(['added', 'removed', 'modified', 'unchanged']),
    /** Titles are present only if they differ. */
    titleBefore: v.exactOptional(v.string()),
    titleAfter: v.exactOptional(v.string()),
    blockDiffs: v.array(BlockDiff),
    /** Paths are keys of `meta`; only of a modified page whose `meta` differs. */
    metaDiffs: v.exactOptional(v.array(FieldDiff)),
  }),
)
export type PageDiff = v.InferOutput<typeof PageDiff>

export const SiteConfigDiff = described(
  'SiteConfigDiff',
  'The diff of the site-wide settings that a visitor sees.',
  v.object({
    status: v.picklist(['added', 'removed', 'modified', 'unchanged']),
    fieldDiffs: v.array(FieldDiff),
  }),
)
export type SiteConfigDiff = v.InferOutput<typeof SiteConfigDiff>

const contentWords = 'The changes of a publish. Without a baseline it is empty: no pages, all counts zero.'

const contentDiff = v.object({
  baselineAvailable: v.boolean(),
  summary: v.object({
    pagesAdded: Count,
    pagesRemoved: Count,
    pagesModified: Count,
    pagesUnchanged: Count,
    /** Titles, fields and meta of modified pages that differ; added and removed blocks do not count. */
    totalChangedFields: Count,
    siteConfigChangedFields: Count,
  }),
  pages: v.array(PageDiff),
  siteConfig: SiteConfigDiff,
  unreadable: v.exactOptional(
    v.pipe(
      v.array(Unreadable),
      v.description(
        'Entries of the site that are in no draft, because they cannot be used; a publish leaves them as they are.',
      ),
    ),
  ),
  locked: v.exactOptional(v.pipe(v.array(Locked), v.description(lockedWords))),
  previewVersion: v.exactOptional(
    v.pipe(
      Count,
      v.description('The version of the draft that was compared; `POST /publish` takes it as `baseVersion`.'),
    ),
  ),
  branch: v.exactOptional(
    v.pipe(
      v.object({ from: v.string(), to: v.string() }),
      v.description(
        'The folder of the site has another branch now, which the draft follows only with `confirm`.',
      ),
    ),
  ),
  shrunk: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description('The site has lost most of its pages, which the draft follows only with `confirm`.'),
    ),
  ),
  notice: v.pipe(
    v.optional(v.string()),
    v.description('Why nothing or not all is compared, and what helps.'),
  ),
  message: ShownText,
})
export const ContentDiff = described('ContentDiff', contentWords, contentDiff)
export type ContentDiff = v.InferOutput<typeof ContentDiff>
