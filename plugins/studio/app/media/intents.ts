/** What a person can do with pictures. */
import { sayChanged } from '../edit/undo-line.ts'
import { call, sentenceOf, type Answer } from '../service.ts'
import { apply, readPage, type Operation } from '../stores/draft.ts'
import { go } from '../stores/go.ts'
import { choosePlace, loadPictures, source } from './media-store.ts'
import { picking } from '../stores/picking.ts'
import { ofUploaded, type Picture } from './pictures.ts'
import { draftId } from '../stores/site.ts'
import { say } from '../stores/toast.ts'
import { openSide, settings } from '../stores/ui.ts'
import { upload } from '../stores/uploads.ts'
import { withPicture } from './replaced.ts'

export type Usage = Answer<'GET /media/usage'>
export type Use = Usage['uses'][number]

/** Uploads files; each appears once the service has it. */
export async function uploadAll(
  files: readonly File[],
  onUploaded: (picture: Picture) => void,
): Promise<void> {
  if (source.value !== 'uploads') choosePlace('uploads')
  for (const sent of files.map((file) => ({ file, done: upload(file) }))) {
    const done = await sent.done
    if (!done) continue
    await loadPictures()
    onUploaded(ofUploaded(done, sent.file.name))
  }
}

export const usageOf = (url: string): Promise<Usage> =>
  call('GET /media/usage', { query: { ...draftId.value, url } })

/** Goes to a place that shows a picture. */
export async function openUse(use: Use): Promise<void> {
  settings.value = use.slug === undefined ? 'site' : 'page'
  openSide('fields')
  await go(use)
}

/** Lets the person choose the picture that takes the place of another one everywhere. */
export function replace(url: string, places: string): void {
  picking.value = {
    label: `Replace in ${places}`,
    alt: undefined,
    onPick: (picked) => void replaceEverywhere(url, picked.url),
  }
}

/** Sets another picture in all places, as one change on the version in which they were found. */
async function replaceEverywhere(url: string, next: string): Promise<void> {
  try {
    const { version, uses, isCut } = await usageOf(url)
    if (isCut) return say('It is used in more than 500 places. Replace it page by page.')
    const groups = Map.groupBy(uses, ({ slug, blockId }) => JSON.stringify([slug, blockId]))
    const ops = await Promise.all([...groups.values()].map((group) => operationsFor(group, next)))
    const all = ops.flat()
    if (all.length === 0) return say('Nothing had to be changed')
    const { previewVersion } = await apply(all, version)
    sayChanged(`Replaced in ${countOf(uses.length)}`, previewVersion)
  } catch (error) {
    say(sentenceOf(error))
  }
}

export const countOf = (places: number): string => (places === 1 ? '1 place' : `${places} places`)

/** The operations for the places in one block, on one page, or in the settings of the site. */
async function operationsFor(uses: readonly Use[], next: string): Promise<readonly Operation[]> {
  const [{ slug, blockId } = {}] = uses
  if (slug === undefined)
    return uses.some(({ path }) => path === 'logo')
      ? [{ op: 'update_site_config', patch: { logo: next } }]
      : []
  if (blockId === undefined)
    return uses.some(({ path }) => path === 'meta.ogImage')
      ? [{ op: 'update_page_meta', pageSlug: slug, patch: { ogImage: next } }]
      : []
  const { read } = await readPage(slug)
  const props = read.blocks.find(({ id }) => id === blockId)?.props ?? {}
  const names = new Set(uses.map(({ path }) => path.split(/[.[]/, 1)[0] ?? ''))
  const written = uses.flatMap((use) => use.written)
  const patch = Object.fromEntries([...names].map((name) => [name, withPicture(props[name], written, next)]))
  return [{ op: 'update_props', pageSlug: slug, blockId, patch }]
}
