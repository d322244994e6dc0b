/** Where a new picture of a website goes, and how its documents name it: as they do with those that they have. */
import { basename, dirname, extname, join, relative } from 'node:path/posix'
import { paced } from '../../../kernel/index.ts'
import type { MediaUse } from '../../content/adapter.ts'
import type { ContentFile } from './content-page.ts'
import { decodedPath, isPicture, pathIn, textsIn } from './picture-addresses.ts'
import { pictureFolderOf } from './select.ts'

/** A folder, and what is before the name of a picture of it in the address that a document has. */
export interface PicturePlace {
  readonly folder: string
  readonly prefix: string
}

/** A picture that a document has. */
interface Example {
  readonly document: string
  readonly field: string
  readonly address: string
  /** Its path. */
  readonly file: string
}

type Known = readonly Pick<ContentFile, 'path' | 'page'>[]

/**
 * Returns the place of a new picture for a field of a document: that of the picture before, else that of the
 * pictures which the document, those of its folder or the nearest ones have, first in the same field, else that
 * of the framework; `undefined` where none is known.
 */
export async function placeOfPicture(
  document: string,
  { field = '', before = '' }: Omit<MediaUse, 'slug'>,
  { files, paths }: { readonly files: Known; readonly paths: readonly string[] },
): Promise<PicturePlace | undefined> {
  const fileOf = createFileOf(paths)
  const own = fileOf(before, document)
  if (own !== undefined) return placeBy({ document, field, address: before, file: own }, document)
  let most = -1
  let best: Example[] = []
  for await (const { path, page } of paced(files)) {
    for (const each of page.blocks.flatMap(({ props }) => textsIn(props))) {
      const file = isPicture(each.text) ? fileOf(each.text, path) : undefined
      if (file === undefined) continue
      const example = { document: path, field: each.field, address: each.text, file }
      const rank = rankOf(example, document, field)
      if (rank > most) best = []
      if (rank >= most) best.push(example)
      most = Math.max(most, rank)
    }
  }
  return mostCommon(best.map((each) => placeBy(each, document))) ?? frameworkPlace(paths, document)
}

/** What is nearer counts more: the document, its folder, the same field, and how much of the path is shared. */
function rankOf(example: Example, document: string, field: string): number {
  const isSame = example.field === field ? 1 : 0
  const [one, other] = [dirname(example.document).split('/'), dirname(document).split('/')]
  const isBeside = dirname(example.document) === dirname(document)
  const near = example.document === document ? 2 : isBeside ? 1 : 0
  const apart = one.findIndex((name, n) => other[n] !== name)
  const shared = apart === -1 ? one.length : apart
  return (near > 0 ? isSame : 0) * 1_000_000 + near * 100_000 + isSame * 10_000 + shared
}

function mostCommon(places: readonly PicturePlace[]): PicturePlace | undefined {
  const groups = Map.groupBy(places, ({ folder, prefix }) => `${folder} ${prefix}`)
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]
}

const isRelative = (address: string): boolean => !/^(?:[a-z][\w+.-]*:|[/@~])/i.test(address)

/** Creates a function that returns the path of the picture that an address of a document means, if it is one. */
function createFileOf(paths: readonly string[]) {
  const pictures = new Set(paths.filter(isPicture))
  const byName = Map.groupBy(pictures, (path) => basename(path))
  return (address: string, document: string): string | undefined => {
    if (address === '' || /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address)) return undefined
    const beside = join(dirname(document), decodedPath(address))
    if (isRelative(address) && pictures.has(beside)) return beside
    if (address.startsWith('.')) return undefined
    const path = pathIn(address)
    const found = byName.get(basename(path))?.filter((each) => `/${each}`.endsWith(`/${path}`)) ?? []
    return found.length === 1 ? found[0] : undefined
  }
}

/** The name of a document, by which a folder for its pictures is called. */
function stemOf(document: string): string {
  const name = basename(document, extname(document))
  return /^_?(?:index|readme)$/i.test(name) ? basename(dirname(document)) : name
}

function placeBy({ document: other, address, file }: Example, document: string): PicturePlace {
  const ownFolder = (text: string): string =>
    text
      .split('/')
      .map((name) => (name === stemOf(other) ? stemOf(document) : name))
      .join('/')
  const isFromDocument = isRelative(address) && file === join(dirname(other), decodedPath(address))
  if (!isFromDocument)
    return {
      folder: ownFolder(dirname(file)),
      prefix: ownFolder(address.slice(0, address.lastIndexOf('/') + 1)),
    }
  const below = relative(dirname(other), dirname(file))
  const folder = below.startsWith('..') ? ownFolder(dirname(file)) : join(dirname(document), ownFolder(below))
  const way = relative(dirname(document), folder)
  const start = address.startsWith('.') && !way.startsWith('..') ? './' : ''
  return { folder, prefix: start + (way === '' ? '' : `${plain(way)}/`) }
}

/** Blanks and brackets end an address in Markdown. */
const plain = (path: string): string => (/[\s()<>"'%?#]/.test(path) ? encodeURI(path) : path)

/** What frameworks copy to the top of a website. */
const copied = /^(?:public|static)(?=\/)/

function frameworkPlace(paths: readonly string[], document: string): PicturePlace | undefined {
  const isThere = (folder: string): boolean => paths.some((path) => path.startsWith(`${folder}/`))
  const top = ['public', 'static'].find(isThere)
  const found =
    pictureFolderOf(paths, document) ?? (top && { base: '', names: [`${top}/images`, `${top}/img`] })
  if (!found) return undefined
  const { base, names } = found
  const name = names.find((each) => isThere(base + each)) ?? names[0] ?? ''
  return { folder: base + name, prefix: `/${name.replace(copied, '').replace(/^\//, '')}/` }
}
