import type { Clock, Ids } from '../../kernel/index.ts'
import { invalidFileName } from './refusals.ts'

/** The facts of bytes to store. */
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

/** Returns the media type of a stored name; `undefined` for a path, a hidden file or another type. */
export function typeOf(key: string): string | undefined {
  const extension = pattern.exec(key)?.[1]
  return extension && types[extension.toLowerCase()]
}

/**
 * Returns the name for bytes to store: the given one, or a new one that cannot be guessed.
 *
 * Refuses with `invalid_file_name` names that could not be read again. A type that does not match the
 * extension is a bug and throws a TypeError, because only the extension stores the type.
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
