/** The block types of the site: what can be added, and which fields a block has. */
import { computed, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { draftId } from './site.ts'

type Manifest = Answer<'GET /sites/blocks'>
export type BlockType = Manifest['blocks'][number]
export type Field = NonNullable<BlockType['fields']>[string]

export const manifest = signal<Manifest | undefined>(undefined)
export const typeOf = computed(() => {
  const known = new Map(manifest.value?.blocks.map((type) => [type.type, type]))
  return (name: string): BlockType | undefined => known.get(name)
})

export async function loadBlockTypes(): Promise<void> {
  manifest.value = await call('GET /sites/blocks', { query: draftId.value })
}

/** The name of a block type for people. */
export const nameOf = (type: string): string => typeOf.value(type)?.displayName ?? type
/** The name of a field for people. */
export const labelOf = (name: string, field: Field | undefined): string => field?.label ?? name

const initial: Readonly<Record<string, (label: string, field: Field) => unknown>> = {
  text: (label) => `New ${label}`,
  richtext: (label) => `New ${label}`,
  imageAlt: (label) => `New ${label}`,
  html: (label) => `<p>New ${label}</p>`,
  link: () => '/',
  url: () => '/',
  enum: (_label, { options }) => options?.[0],
}

/** A row with the texts that its list requires; of a list with several kinds, the first one. */
export function newRow(list: Field | undefined): Readonly<Record<string, unknown>> {
  const [kind] = Object.keys(list?.itemFieldsByType ?? {})
  const own = kind === undefined ? {} : list?.itemFieldsByType?.[kind]
  const filled = Object.entries({ ...list?.itemFields, ...own } as Readonly<Record<string, Field>>).map(
    ([name, field]) => [name, initial[field.kind]?.(labelOf(name, field), field)] as const,
  )
  const chosen = list?.discriminator === undefined ? {} : { [list.discriminator]: kind }
  return { ...Object.fromEntries(filled.filter(([, value]) => value !== undefined)), ...chosen }
}
