/** A text of the page that several values of the content could be. */
import { signal } from '@preact/signals'

export interface OfferedPlace {
  readonly slug: string
  readonly file: string
  readonly line?: number | undefined
  readonly blockId: string
  readonly blockType: string
  readonly path: string
}

/** The text for which the person chooses a place; `undefined` while there is none. */
export const placing = signal<
  { readonly text: string; readonly places: readonly OfferedPlace[] } | undefined
>(undefined)

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads the places that a page offers, which is not trusted. */
export function offeredPlaces(payload: Readonly<Record<string, unknown>>): readonly OfferedPlace[] {
  const places: readonly unknown[] = Array.isArray(payload['places']) ? payload['places'] : []
  return places.flatMap((each) => {
    const { slug, file, line, blockId, blockType, path } = Object(each)
    if (![slug, file, blockId, blockType, path].every(isText)) return []
    return [{ slug, file, blockId, blockType, path, line: typeof line === 'number' ? line : undefined }]
  })
}
