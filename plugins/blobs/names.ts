import type { Clock, Ids } from '../../kernel/index.ts'
import { invalidFileName } from './refusals.ts'

/** What is stated of bytes that are to be stored. */
export interface NewBlob {
  readonly type: string
  readonly extension: string
  readonly prefix?: string
  readonly key?: string
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  pdf: 'application/pdf',
}
const pattern = /^[A-Za-z0-9_-]{1,160}\.(png|jpg|jpeg|webp|gif|avif|pdf)$/i

/** Gives the media type of a stored name, and nothing for a path, a hidden file or another kind. */
export function typeOf(key: string): string | undefined {
  const extension = pattern.exec(key)?.[1]
  return extension && types[extension.toLowerCase()]
}

/**
 * Gives the name under which bytes are to be stored: the given one, or a new one that cannot be guessed.
 *
 * Refuses with `invalid_file_name` what could not be found again. A type that is not the one of the extension
 * is a programmer's mistake and throws a TypeError, because the extension alone shows the type later.
 */
export function nameFor(
  { type, extension, prefix = 'blob', key }: NewBlob,
  { clock, ids }: { clock: Clock; ids: Ids },
): string {
  const name = key ?? `${prefix}_${clock.now().getTime()}_${ids.uuid().replaceAll('-', '')}.${extension}`
  const found = typeOf(name)
  if (found === undefined) throw invalidFileName()
  if (found !== type) throw new TypeError(`A file of type '${type}' cannot be stored as a '${found}'.`)
  return name
}
