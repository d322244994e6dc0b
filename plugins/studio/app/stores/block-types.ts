/** The block types of the site: what can be added, and which fields a block has. */
import { computed, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { newest } from './newest.ts'
import type { Row } from './place.ts'
import { draftId } from './site.ts'

type Manifest = Answer<'GET /sites/blocks'>
export type BlockType = Manifest['blocks'][number]
export type Field = NonNullable<BlockType['fields']>[string]

export const manifest = signal<Manifest | undefined>(undefined)
export const typeOf = computed(() => {
  const byName = new Map(manifest.value?.blocks.map((type) => [type.type, type]))
  return (name: string): BlockType | undefined => byName.get(name)
})

export const loadBlockTypes = newest(
  () => call('GET /sites/blocks', { query: draftId.value }),
  (read) => void (manifest.value = read),
)

/** The name of a block type for people. */
export const displayNameOf = (type: string): string => typeOf.value(type)?.displayName ?? type
/** The name of a field for people. */
export const labelOf = (name: string, field: Field | undefined): string => field?.label ?? name

/** Whether fields, or the fields of their rows, hold pictures. */
export const hasPicture = (fields: unknown): boolean =>
  /"kind":"image(?:List)?"/.test(JSON.stringify(fields) ?? '')

type Fields = BlockType['fields']
type Name = readonly [path: string, name: string]

function namesIn(above: string, fields: Fields = {}, prefix = ''): readonly Name[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const [path, label] = [`${above}.${name}`, prefix + labelOf(name, field)]
    const rows = [field.itemFields, ...Object.values(field.itemFieldsByType ?? {})] as readonly Fields[]
    return [[path, label] as const, ...rows.flatMap((each) => namesIn(path, each, `${label}: `))]
  })
}
/** The names of all types and fields for people, by `Type` and `Type.list.field`. */
export const names = computed(() => {
  const all = manifest.value?.blocks.flatMap(({ type, fields }) => [
    [type, displayNameOf(type)] as const,
    ...namesIn(type, fields),
  ])
  return Object.fromEntries(all ?? [])
})

const noText = () => ''
const initial: Readonly<Record<string, (field: Field) => unknown>> = {
  text: noText,
  richtext: noText,
  imageAlt: noText,
  html: noText,
  link: () => '/',
  url: () => '/',
  enum: ({ options }) => options?.[0],
}

/** The kinds of rows of a list; none if all rows have the same fields. */
export const kindsOf = (list: Field | undefined): readonly string[] =>
  list?.discriminator === undefined ? [] : Object.keys(list.itemFieldsByType ?? {})

/**
 * A row of a kind, the first one by default, with empty texts: the page shows their names until they are
 * written.
 */
export function newRow(list: Field | undefined, kind = kindsOf(list)[0]): Readonly<Record<string, unknown>> {
  const own = kind === undefined ? {} : list?.itemFieldsByType?.[kind]
  const filled = Object.entries({ ...list?.itemFields, ...own } as Readonly<Record<string, Field>>).map(
    ([name, field]) => [name, initial[field.kind]?.(field)] as const,
  )
  const chosen = list?.discriminator === undefined ? {} : { [list.discriminator]: kind }
  return { ...Object.fromEntries(filled.filter(([, value]) => value !== undefined)), ...chosen }
}

/** The fields of a row for people: those of all rows, and those of its kind. */
export function fieldsOf(list: Field, row: Row): Readonly<Record<string, Field>> {
  const kind = list.discriminator === undefined ? undefined : row[list.discriminator]
  const branches = list.itemFieldsByType ?? {}
  const branch = typeof kind === 'string' && Object.hasOwn(branches, kind) ? branches[kind] : undefined
  // With kinds, the fields that all rows share are those of older editors: the kind knows better.
  const common = Object.entries(list.itemFields ?? {}).filter(
    ([name]) => !branch || name === list.discriminator || name in branch || isFilled(row[name]),
  )
  const all = Object.entries({ ...Object.fromEntries(common), ...branch } as Readonly<Record<string, Field>>)
  return Object.fromEntries(all.filter(([name, field]) => !field.internal && !name.startsWith('_')))
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
