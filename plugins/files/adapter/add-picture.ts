/** A picture that an editor adds to a website. */
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path/posix'
import type { MediaFile, MediaItem } from '../../content/adapter.ts'
import { pathOfSlug } from '../../content/file-slugs.ts'
import { seedFromWords } from '../../content/slugs.ts'
import type { PendingPictures } from './pending-pictures.ts'
import { placeOfPicture } from './picture-place.ts'
import { pictureItem } from './pictures.ts'
import { isReadable } from './read-files.ts'
import type { LastRead } from './refusal-of.ts'
import { fileRefused } from './refusals.ts'
import { isForeign } from './select.ts'

/** What its bytes are, and how its name ends. */
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

/**
 * Stores an uploaded picture until a publish, by a free name from what it shows or what its file is called. Refuses
 * one for no document, and one for which the website shows no place.
 */
export async function addPicture(
  { name, type, use, bytes }: MediaFile,
  {
    read,
    paths,
    pictures,
  }: { readonly read: LastRead; readonly paths: readonly string[]; readonly pictures: PendingPictures },
): Promise<MediaItem> {
  const { root, admits, index, byPath } = read
  const ending = endings[type]
  if (ending === undefined) throw fileRefused(name, 'Pictures are PNG, JPEG, WebP and GIF.')
  const document = pathOfSlug(use?.slug ?? '')
  if (!use || document === undefined || !(index.bySlug.has(use.slug) || admits(document)))
    throw fileRefused(name, 'Name the document that it is for.')
  const files = [...byPath.values()].filter(isReadable)
  const place = await placeOfPicture(document, use, { files, paths })
  if (!place || isForeign(join(place.folder, '_')))
    throw fileRefused(
      document,
      'Where this website has its pictures is not known. Add the first one to its folder, and choose it.',
    )
  const taken = new Set([...paths, ...pictures.paths()].map((path) => path.toLowerCase()))
  const content = Buffer.concat(await Array.fromAsync(bytes()))
  // The same picture again, such as after an undo, is the one that waits.
  const isFree = (path: string): boolean =>
    (!taken.has(path.toLowerCase()) && !existsSync(join(root, path))) ||
    content.equals(pictures.read(path) ?? Buffer.of())
  const stem = stemFor(use.alt?.trim() || name.slice(0, name.length - extname(name).length))
  let [file, n] = [`${stem}.${ending}`, 1]
  while (!isFree(join(place.folder, file))) file = `${stem}-${(n += 1)}.${ending}`
  const path = join(place.folder, file)
  await pictures.store(path, content)
  const value = place.prefix + file
  return { ...pictureItem(path, value.startsWith('/') ? value : undefined), value }
}

/** Names that Windows has for devices. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)\d)$/

/** Names a file in letters that no address encodes. */
function stemFor(words: string): string {
  const plain = seedFromWords(words.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/^-+|-+$/g, '')
  return plain === '' || device.test(plain) ? `picture${plain === '' ? '' : '-'}${plain}` : plain
}
