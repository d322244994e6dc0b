import * as v from 'valibot'
import { described, plainOnly } from './plain-object.ts'

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))

/** Props of a block: prop name to JSON value. */
export type Props = Readonly<Record<string, unknown>>

/** One block of a page. Other keys are content and preserved. */
export const Block = described(
  'Block',
  'One block of a page. Other keys are content and kept.',
  v.looseObject({ id: text, type: text, props: plainOnly(v.record(v.string(), v.unknown())) }),
)
export type Block = Readonly<{ id: string; type: string; props: Props }> & Readonly<Record<string, unknown>>

/** Metadata for search engines and link previews. Unknown keys are preserved. */
export const PageMeta = plainOnly(
  described(
    'PageMeta',
    'What search engines and link previews read of a page.',
    v.looseObject({
      title: v.optional(v.string()),
      description: v.optional(v.string()),
      ogImage: v.optional(v.string()),
    }),
  ),
)
export type PageMeta = Readonly<{
  title?: string | undefined
  description?: string | undefined
  ogImage?: string | undefined
}> &
  Readonly<Record<string, unknown>>

/** A page document at the lenient level: any block type, unknown keys preserved. */
export const Page = described(
  'Page',
  'A page document. Its blocks are in render order; other keys are content and kept.',
  v.looseObject({
    id: text,
    slug: text,
    title: text,
    updatedAt: text,
    blocks: v.array(Block),
    meta: v.optional(PageMeta),
  }),
)
export type Page = Readonly<{
  id: string
  slug: string
  title: string
  /** ISO-8601 UTC with milliseconds; the version of the page in a live preview. */
  updatedAt: string
  /** In render order. */
  blocks: readonly Block[]
  meta?: PageMeta | undefined
}> &
  Readonly<Record<string, unknown>>

function recordOf<const S extends v.GenericSchema>(value: S, description: string) {
  return plainOnly(v.pipe(v.record(v.string(), value), v.description(description)))
}

/** Site-wide settings. Clients can write these eight keys; registration keeps others as well. */
export const SiteConfig = described(
  'SiteConfig',
  'Site-wide settings.',
  v.object({
    name: v.optional(v.string()),
    logo: v.optional(v.string()),
    purpose: v.optional(v.string()),
    tone: v.optional(v.string()),
    constraints: v.optional(v.array(v.string())),
    navLabels: v.optional(recordOf(v.string(), 'Slug to what the menu calls the page.')),
    navGroups: v.optional(recordOf(v.array(v.string()), 'Label of a menu group to the slugs in it.')),
    themeOverrides: v.optional(recordOf(v.string(), 'CSS variable to its value.')),
  }),
)
export type SiteConfig = Readonly<v.InferOutput<typeof SiteConfig>> & Readonly<Record<string, unknown>>
