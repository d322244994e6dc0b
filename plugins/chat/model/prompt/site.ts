import type { PlanningInput } from '../../port.ts'
import { isDeclaredList, isInternal, labelOf } from '../../../content/fields.ts'
import type { BlockType, FieldMeta, Fields, Manifest, PropsSchema, Registry } from '../../../content/model.ts'
import { mapValues, ownValue, picked } from '../../../content/plain-object.ts'
import { itemSchemaOf } from '../../../content/props-schema.ts'
import { fenced } from '../../../models/port.ts'

/** Facts about a prop of a block type: kind, label, options, limits and row fields, if any. */
type Facts = Readonly<Record<string, unknown>>

/**
 * Returns the contracts of all block types of the site: the declared ones, or else the built-in ones, plus
 * all pinned ones. Sorted by type; internal props are left out.
 */
export function contractsOf(registry: Registry, manifest: Manifest | undefined) {
  const declared = manifest?.types() ?? []
  const pinned = registry.types().filter(({ chrome, type }) => chrome && !manifest?.get(type))
  const all = manifest ? [...declared, ...pinned] : registry.types()
  return all.map(contractOf).toSorted((a, b) => (a.type < b.type ? -1 : 1))
}

/** The facts about a block type that a model needs for edits. Of a pinned type, only props may be edited. */
export function contractOf({ type, displayName, description, chrome, fields, propsSchema }: BlockType) {
  return {
    type,
    ...(inWords(type) !== inWords(displayName) && { name: displayName }),
    ...(description !== undefined && { description }),
    ...(chrome && { pinned: true }),
    props: propsOf(fields, propsSchema),
  }
}

function propsOf(fields: Fields, schema: PropsSchema | undefined): Readonly<Record<string, Facts>> {
  const shown = picked(fields, (meta, name) => !isInternal(name, meta))
  return mapValues(shown, (meta, name) => propOf(name, meta, ownValue(schema?.properties, name)))
}

/** Normalises a name: `imageAlt`, `image alt` and `Image Alt` are equal. */
const inWords = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '')

function propOf(name: string, meta: FieldMeta, schema: PropsSchema | undefined): Facts {
  const label = labelOf(name, meta)
  const options = schema?.enum ?? meta.options
  const row = isDeclaredList(meta) ? itemSchemaOf(schema) : undefined
  const rowsBy = mapValues(meta.itemFieldsByType ?? {}, (own) => propsOf(own, row))
  return {
    kind: meta.kind,
    ...(inWords(name) !== inWords(label) && { label }),
    ...(meta.required && { required: true }),
    ...(options && options.length > 0 && { options }),
    ...(schema?.maxLength !== undefined && { maxLength: schema.maxLength }),
    ...(meta.imageSpec && {
      image: `${meta.imageSpec.aspectRatio}, ${meta.imageSpec.width} x ${meta.imageSpec.height}`,
    }),
    ...(meta.kind === 'reference' && { readOnly: true }),
    ...(meta.localized === false && { notTranslated: true }),
    ...(meta.itemFields && { row: propsOf(meta.itemFields, row) }),
    ...(meta.discriminator !== undefined && { discriminator: meta.discriminator, rowsBy }),
  }
}

/** The part of the prompt that is the same for every request to a site: its purpose and its block types. */
export function sitePart({ registry, manifest, siteContext }: PlanningInput): string {
  return [
    'The block types of this site and their props. Props marked readOnly are managed elsewhere and left alone; those marked notTranslated stay as they are in a translation; pinned blocks are never added, moved, copied or removed.',
    fenced('block types', contractsOf(registry, manifest)),
    aboutSite(siteContext),
  ].join('\n\n')
}

/** The site's description of itself. */
export function aboutSite({
  siteName: name,
  purpose,
  tone,
  constraints,
  pageTemplates,
}: PlanningInput['siteContext'] = {}): string {
  const site = fenced('site', { name, purpose, tone, constraints, pageTemplates })
  return `What the site says about itself. Let it guide wording and tone.\n\n${site}`
}
