import { pageDelta } from '../content/delta.ts'
import type { PageChange } from '../content/model.ts'
import { typeWords, type NameSource } from '../content/naming.ts'
import type { Operation } from '../content/operations/index.ts'
import { ownValue } from '../content/plain-object.ts'
import { type FieldPath, overlaps, touchedPaths } from '../content/touched-paths.ts'
import { texts } from './texts/texts.ts'
import type { ImagePlace } from './types/plan.ts'

const settings = 'site config'

/** What a change, or a plan, does to a draft. */
interface Effect {
  readonly pages: ReadonlyMap<string, PageChange>
  readonly ops: readonly Operation[]
  readonly images?: readonly { readonly at: ImagePlace }[]
}

/** Returns the places in the content of a draft that a change touches. */
export function placesOf({ pages, ops, images = [] }: Effect): readonly FieldPath[] {
  return [
    ...[...pages.values()].flatMap(({ before, after }) =>
      before || after ? touchedPaths(pageDelta(before, after)) : [],
    ),
    ...ops.flatMap((op) =>
      op.op === 'update_site_config' ? Object.keys(op.patch).map((key) => [settings, key]) : [],
    ),
    ...images.map(({ at }) => placeOfImage(at)),
  ]
}

function placeOfImage(at: ImagePlace): FieldPath {
  if (at.kind === 'site') return [settings, 'logo']
  if (at.kind === 'page') return [at.pageSlug, 'key', 'meta']
  return [at.pageSlug, 'block', at.blockId, 'prop', at.kind === 'row' ? at.listKey : at.field]
}

/** Returns the first of these places that meets one of the others: the one that says more of the two. */
export function commonPlace(of: readonly FieldPath[], others: readonly FieldPath[]): FieldPath | undefined {
  for (const place of of) {
    const other = others.find((each) => overlaps(place, each))
    if (other) return other.length > place.length ? other : place
  }
  return undefined
}

/** Names a place inside a sentence, with the words of the block type that the change found or left there. */
export function nameOfPlace(
  [of = '', kind, name = '', , field]: FieldPath,
  pages: Effect['pages'],
  source: NameSource,
): string {
  if (of === settings) return ownValue(texts.settings, kind ?? '') ?? kind ?? of
  if (kind === undefined) return `page ${of}`
  if (kind === 'key') return `${name} of page ${of}`
  if (kind === 'order') return `order of blocks on page ${of}`
  const { before, after } = pages.get(of) ?? {}
  const block = [after, before].flatMap((page) => page?.blocks ?? []).find(({ id }) => id === name)
  const words = typeWords(block?.type, source)
  return texts.label(field === undefined ? (words.block ?? 'block') : words.field(field))
}
