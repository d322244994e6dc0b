/** What the names and addresses of pictures say. */
import { isPlainObject } from '../../content/plain-object.ts'
import { decoded } from '../../content/slugs.ts'

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}

/** The type of a picture by its name; `undefined` for other files. */
export const pictureType = (path: string): string | undefined =>
  types[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']

export const isPicture = (path: string): boolean => pictureType(path) !== undefined

/** What a website may put before a path: steps of folders, and names of its own folder, such as `@site/`. */
const beforePath = /^(?:\.{0,2}\/|[@~][\w-]*\/)*/

/** Returns an address as a path, which may begin with steps. */
export const decodedPath = (address: string): string => decoded(address.split(/[?#]/)[0] ?? '') ?? ''

/** Returns the path in an address, without what a website may put before it. */
export const pathIn = (address: string): string => decodedPath(address).replace(beforePath, '')

/** A text, and the name of the field that has it. */
interface TextOfField {
  readonly field: string
  readonly text: string
}

/** Returns the texts in the props of a block, at any depth. */
export function textsIn(value: unknown, field = ''): readonly TextOfField[] {
  if (typeof value === 'string') return [{ field, text: value }]
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, field))
  return isPlainObject(value) ? Object.entries(value).flatMap(([name, each]) => textsIn(each, name)) : []
}
