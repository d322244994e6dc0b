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
