import * as v from 'valibot'
import { Refusal } from '../../../../kernel/index.ts'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { toBaseline } from '../../../content/baseline.ts'
import { unlocked } from '../../../content/locked.ts'
import { namesOf } from '../../../content/read-pages.ts'
import { settingsToSend } from '../../../content/settings-form.ts'
import { type Page, PageMeta, SiteConfig } from '../../../content/page.ts'
import type { DriveImage, DriveImages } from '../../../media/gdrive/port.ts'
import { guardPath, readGuarded, writeGuarded } from '../files/guard.ts'
import { problems } from '../files/problems.ts'
import { contentFile } from '../../scaffold/port.ts'
import { copyImages, remoteImages, withImages, writeImage } from '../pages/images.ts'
import { checkTheme, presetNames, presetTheme, withTheme } from '../pages/theme.ts'
import { ownTypes, toPages } from '../pages/to-page.ts'
import { Problem } from '../problem.ts'
import { applyChanges, byRun, draftOf, logWrite, type SiteRun } from '../run/site-run.ts'

const Props = v.record(v.string(), v.unknown())
const { themeOverrides, navLabels, navGroups, purpose, tone, constraints } = SiteConfig.entries
const Pages = v.object({
  siteId: v.string(),
  pages: v.pipe(
    v.array(
      v.object({
        slug: v.string(),
        title: v.optional(v.string()),
        blocks: v.pipe(v.array(v.object({ type: v.string(), props: Props })), v.maxLength(100)),
        meta: v.optional(PageMeta),
      }),
    ),
    v.minLength(1),
    v.maxLength(100),
  ),
  themeOverrides,
  navLabels,
  navGroups,
  purpose,
  tone,
  constraints,
  siteName: v.optional(v.string()),
  siteLogo: v.optional(v.string()),
})
const Theme = v.object({
  siteId: v.string(),
  preset: v.optional(v.pipe(v.string(), v.description(`One of ${presetNames.join(', ')}.`))),
  variables: v.optional(v.record(v.string(), v.string()), {}),
})
const Image = v.object({
  url: v.string(),
  alt: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(500),
      v.description('The alternative text, which is returned with the answer.'),
    ),
  ),
})
const mostBytes = 20 * 1024 * 1024
const stylesheets = ['app/globals.css', 'src/app/globals.css', 'src/styles/global.css', 'public/theme.css']

/** Creates the tools that write the pages, theme and images of a site. */
export const pageTools = (run: SiteRun): readonly LoopTool[] => [
  defineLoopTool(
    {
      name: 'bootstrap_pages',
      description:
        'Writes up to 100 pages into the content file and the draft of a site that this run created or ' +
        'integrated. Invalid blocks are skipped and reported; images from other servers are copied.',
      input: Pages,
    },
    (input) => bootstrapPages(run, input),
  ),
  defineLoopTool(
    {
      name: 'apply_theme',
      description:
        'Sets CSS variables of a site, from a preset and by name, in its stylesheet and site config.',
      input: Theme,
    },
    (input) => applyTheme(run, input),
  ),
  defineLoopTool(
    {
      name: 'download_remote_images',
      description: 'Copies up to 200 images into the site; one that cannot be copied keeps its address.',
      input: v.object({ siteId: v.string(), images: v.pipe(v.array(Image), v.maxLength(200)) }),
    },
    async ({ siteId, images }) => {
      const brought = await copyImages(run, siteId, images)
      const copied = brought.filter(({ reason }) => reason === undefined)
      run.outcome('images', `${copied.length} of ${brought.length}`)
      return toolAnswer({ images: brought })
    },
  ),
  defineLoopTool(
    {
      name: 'download_remote_image',
      description: 'Copies an image into the site.',
      input: v.object({ siteId: v.string(), ...Image.entries }),
    },
    async ({ siteId, ...image }) => toolAnswer((await copyImages(run, siteId, [image]))[0]),
  ),
]

async function bootstrapPages(
  run: SiteRun,
  { siteId, pages: proposed, siteName, siteLogo, ...settings }: v.InferOutput<typeof Pages>,
) {
  const { clock, bootstrap, sites } = run
  if (!run.ready.has(siteId))
    throw new Problem('The site is not ready for pages. Call create_site or integrate_site first.')
  checkTheme(settings.themeOverrides ?? {})
  // Its server shows its new block types; nothing is asked.
  if (run.created.some(({ id }) => id === siteId)) await applyChanges(run, siteId)
  const { pages: read, invalid } = toPages(proposed, clock.now(), await ownTypes(run, siteId))
  if (read.length === 0)
    throw new Problem(`None of the pages is valid: ${invalid.map(({ reason }) => reason).join('; ')}.`)
  const images = remoteImages(read).map((url) => ({ url }))
  const brought = await copyImages(run, siteId, images)
  const addresses = new Map(brought.map(({ url, localUrl }) => [url, localUrl]))
  const pages = withImages(read, (address) => addresses.get(address) ?? address)
  const siteConfig = v.parse(SiteConfig, {
    ...settings,
    ...(siteName !== undefined && { name: siteName }),
    ...(siteLogo !== undefined && { logo: siteLogo }),
  })
  await writeContent(run, siteId, { pages, siteConfig })
  await applyChanges(run, siteId, 'Changing the content')

  const id = draftOf(run, siteId)
  const context = { origin: await sites.previewUrl(id), context: byRun(run) }
  const { status } = await bootstrap({ id, pages, siteConfig, overwrite: true, ...context })
  run.outcome('pages', `${pages.length} pages`)
  return toolAnswer({
    status,
    pagesCreated: pages.map(({ slug }) => slug),
    totalBlocks: pages.flatMap(({ blocks }) => blocks).length,
    invalidBlocks: invalid,
    failedImages: brought.filter(({ reason }) => reason !== undefined),
    persistedToFile: contentFile,
  })
}

/** Merges pages and a config into the content file of a site, which keeps its shape. */
async function writeContent(
  run: SiteRun,
  siteId: string,
  { pages, siteConfig }: { readonly pages: readonly Page[]; readonly siteConfig: SiteConfig },
): Promise<void> {
  const place = await guardPath(await run.copies.folder(siteId), contentFile)
  const stored: unknown = place.exists
    ? JSON.parse((await readGuarded(place, mostBytes)).toString('utf8'))
    : {}
  const before = toBaseline(stored) ?? { pages: [] }
  if (before.unreadable)
    throw new Problem(
      `Pages in ${contentFile} cannot be used: ${namesOf(before.unreadable)}. Correct them first.`,
    )
  const all = [...new Map([...before.pages, ...pages].map((page) => [page.slug, page])).values()].map(
    unlocked,
  )
  const content = Array.isArray(stored)
    ? all
    : { pages: all, siteConfig: settingsToSend({ ...before.siteConfig, ...siteConfig }) }
  await writeGuarded(place, `${JSON.stringify(content, null, 2)}\n`)
  await logWrite(run, 'bootstrap_pages', siteId, contentFile)
}

async function applyTheme(run: SiteRun, { siteId, preset, variables }: v.InferOutput<typeof Theme>) {
  const { copies, drafts } = run
  const chosen = preset === undefined ? {} : presetTheme(preset)
  if (!chosen) throw new Problem(`This theme does not exist. Available themes: ${presetNames.join(', ')}.`)
  const theme = { ...chosen, ...variables }
  checkTheme(theme)
  const folder = await copies.folder(siteId)
  const places = await Promise.all(stylesheets.map((path) => guardPath(folder, path)))
  const place = places.find(({ exists }) => exists) ?? places.at(-1)
  if (!place) throw problems.notThere()
  const css = place.exists ? (await readGuarded(place, mostBytes)).toString('utf8') : ''
  await writeGuarded(place, withTheme(css, theme))
  await logWrite(run, 'apply_theme', siteId, place.path)
  await applyChanges(run, siteId, 'Changing the theme')
  const id = draftOf(run, siteId)
  const patch = { themeOverrides: { ...(await drafts.config(id))?.themeOverrides, ...theme } }
  await drafts.commit({ id, edit: { kind: 'config', patch }, ...byRun(run) }, () => undefined)
  return toolAnswer({ status: 'applied', stylesheet: place.path, variables: Object.keys(theme).length })
}

/** Creates the tool that copies images from the Google Drive folder of a site. */
export function driveTool(run: SiteRun, drive: DriveImages): LoopTool {
  return defineLoopTool(
    {
      name: 'browse_gdrive_images',
      description:
        'Finds images of a site in Google Drive by part of their names, copies them into the site, and ' +
        'lists their new addresses.',
      input: v.object({
        siteId: v.string(),
        folderId: v.optional(v.pipe(v.string(), v.maxLength(300))),
        query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(15)), 10),
      }),
    },
    async ({ siteId, ...request }, { signal }) => {
      const folder = await run.copies.folder(siteId)
      const { items, reason } = await drive.list(run.scope.siteId(siteId), request)
      const images = []
      for (const { id, name, alt, width, height } of items) {
        signal.throwIfAborted()
        images.push({ name, alt, width, height, ...(await copy(folder, id)) })
      }
      const copied = images.filter(({ localUrl }) => localUrl !== undefined)
      run.outcome('images', `${copied.length} of ${images.length}`)
      return toolAnswer({ images, ...(reason !== undefined && { reason }) })
    },
  )

  async function copy(
    folder: string,
    id: DriveImage['id'],
  ): Promise<{ readonly localUrl?: string; readonly reason?: string }> {
    try {
      return { localUrl: await writeImage(folder, await drive.read(id)) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { reason: error.reason }
    }
  }
}
