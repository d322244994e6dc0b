import * as v from 'valibot'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Value = v.exactOptional(v.unknown())

/** One value that differs; a side that lacks the value lacks its key. */
export const FieldDiff = v.pipe(
  v.object({
    /** Such as `items[1].q`; a name that dots and brackets would garble is quoted: `data["a.b"]`. */
    path: v.string(),
    before: Value,
    after: Value,
    kind: v.picklist(['text', 'image', 'other']),
  }),
  v.title('FieldDiff'),
  v.description('One value that differs; a side that lacks the value lacks its key.'),
)
export type FieldDiff = v.InferOutput<typeof FieldDiff>

/** What became of one block. */
export const BlockDiff = v.pipe(
  v.object({
    blockId: v.string(),
    /** The type in the draft, where the block is still there. */
    type: v.string(),
    status: v.picklist(['added', 'removed', 'modified', 'moved', 'unchanged']),
    /** Zero-based; absent on the side that lacks the block. */
    positionBefore: v.exactOptional(Count),
    positionAfter: v.exactOptional(Count),
    /** Only of a modified block. */
    fieldDiffs: v.exactOptional(v.array(FieldDiff)),
  }),
  v.title('BlockDiff'),
  v.description('What became of one block. Positions count from 0; the side that lacks the block has none.'),
)
export type BlockDiff = v.InferOutput<typeof BlockDiff>

/** What became of one page: every block of either side, draft order first. */
export const PageDiff = v.pipe(
  v.object({
    slug: v.string(),
    status: v.picklist(['added', 'removed', 'modified', 'unchanged']),
    /** Titles only where they differ. */
    titleBefore: v.exactOptional(v.string()),
    titleAfter: v.exactOptional(v.string()),
    blockDiffs: v.array(BlockDiff),
    /** Paths are keys of `meta`; only of a modified page whose `meta` differs. */
    metaDiffs: v.exactOptional(v.array(FieldDiff)),
  }),
  v.title('PageDiff'),
  v.description('What became of one page. Titles stand here only where they differ.'),
)
export type PageDiff = v.InferOutput<typeof PageDiff>

/** What became of the site-wide settings that a visitor sees. */
export const SiteConfigDiff = v.pipe(
  v.object({
    status: v.picklist(['added', 'removed', 'modified', 'unchanged']),
    fieldDiffs: v.array(FieldDiff),
  }),
  v.title('SiteConfigDiff'),
  v.description('What became of the site-wide settings that a visitor sees.'),
)
export type SiteConfigDiff = v.InferOutput<typeof SiteConfigDiff>

/** What a publish would change. Without a baseline it claims nothing: no pages, all counts zero. */
export const ContentDiff = v.pipe(
  v.object({
    baselineAvailable: v.boolean(),
    summary: v.object({
      pagesAdded: Count,
      pagesRemoved: Count,
      pagesModified: Count,
      pagesUnchanged: Count,
      /** Field and meta differences of modified pages; titles, added and removed blocks do not count. */
      totalChangedFields: Count,
      siteConfigChangedFields: Count,
    }),
    pages: v.array(PageDiff),
    siteConfig: SiteConfigDiff,
    notice: v.pipe(v.optional(v.string()), v.description('Why nothing is compared, and what helps.')),
  }),
  v.title('ContentDiff'),
  v.description('What a publish would change. Without a baseline it claims nothing: no pages, all counts zero.'),
)
export type ContentDiff = v.InferOutput<typeof ContentDiff>
