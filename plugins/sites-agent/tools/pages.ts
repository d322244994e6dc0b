import * as v from 'valibot'
import { Refusal } from '../../../kernel/index.ts'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../agent/port.ts'
import { toBaseline } from '../../content/baseline.ts'
import { PageMeta, SiteConfig } from '../../content/page.ts'
import type { DriveImage, DriveImages } from '../../gdrive/port.ts'
import { placeOf, readPlace, writePlace } from '../files/guard.ts'
import { fileRefusals } from '../files/refusals.ts'
import { contentFile } from '../install/content-source.ts'
import { copyImages, remoteImages, withImages, writeImage } from '../pages/images.ts'
import { checkTheme, presetNames, presetTheme, withTheme } from '../pages/theme.ts'
import { ownTypes, toPages } from '../pages/to-page.ts'
import { refusals } from '../run/refusals.ts'
import { draftOf, type SiteParts, type SiteRun } from '../run/site-run.ts'

const Props = v.record(v.string(), v.unknown())
const { themeOverrides, navLabels, navGroups, purpose, tone, constraints } = SiteConfig.entries
const Pages = v.object({
  siteId: v.string(),
  pages: v.pipe(v.array(v.object({ slug: v.string(), title: v.optional(v.string()), blocks: v.pipe(v.array(v.object({ type: v.string(), props: Props })), v.maxLength(100)), meta: v.optional(PageMeta) })), v.minLength(1), v.maxLength(100)),
  themeOverrides, navLabels, navGroups, purpose, tone, constraints,
  siteName: v.optional(v.string()),
  siteLogo: v.optional(v.string()),
})
const Theme = v.object({
  siteId: v.string(),
  preset: v.optional(v.pipe(v.string(), v.description(`One of ${presetNames.join(', ')}.`))),
  variables: v.optional(v.record(v.string(), v.string()), {}),
})
const Image = v.object({ url: v.string(), alt: v.optional(v.pipe(v.string(), v.maxLength(500), v.description('The alternative text, which is returned with the answer.'))) })
const mostPages = 20 * 1024 * 1024

/** Tools that write the pages, the theme and the images of a site. */
export function pageTools(run: SiteRun, parts: SiteParts): readonly LoopTool[] {
  const { clock, bootstrap, scope, agentLog } = parts
  return [
    defineLoopTool({ name: 'bootstrap_pages', description: 'Writes up to 100 pages into the content file and the draft of a site that this run created or integrated. Invalid blocks are skipped and reported; images from other servers are copied.', input: Pages }, async ({ siteId, pages: proposed, siteName, siteLogo, ...about }) => {
      if (!run.ready.has(siteId)) throw refusals.wrongOrder('The site is not ready for pages. Call create_site or integrate_site first.')
      checkTheme(about.themeOverrides ?? {})
      const { pages: made, invalid } = toPages(proposed, clock.now(), await ownTypes(run, parts, siteId))
      if (made.length === 0) throw refusals.noPages(invalid.map(({ reason }) => reason).join('; '))
      const brought = new Map((await copyImages(run, parts, siteId, remoteImages(made).map((url) => ({ url })))).map((image) => [image.url, image]))
      const pages = withImages(made, (address) => brought.get(address)?.localUrl ?? address)
      const siteConfig = v.parse(SiteConfig, { ...about, ...(siteName !== undefined && { name: siteName }), ...(siteLogo !== undefined && { logo: siteLogo }) })

      const place = await placeOf(await run.sites.folder(siteId), contentFile)
      const stored: unknown = place.exists ? JSON.parse((await readPlace(place, mostPages)).toString('utf8')) : []
      const before = toBaseline(stored) ?? { pages: [] }
      const bySlug = new Map([...before.pages, ...pages].map((page) => [page.slug, page]))
      const content = Array.isArray(stored) && place.exists ? [...bySlug.values()] : { pages: [...bySlug.values()], siteConfig: { ...before.siteConfig, ...siteConfig } }
      await writePlace(place, `${JSON.stringify(content, null, 2)}\n`)
      const persisted = (await run.sites.settle(siteId)) !== 'declined'
      await agentLog.append({ stream: run.streamId, tool: 'bootstrap_pages', siteId, path: contentFile })
      if (!persisted) throw refusals.declined('Changing the content')

      const id = draftOf(run, siteId, scope)
      const origin = await parts.sites.previewUrl(id)
      const answer = await bootstrap({ id, pages, siteConfig, overwrite: true, origin, context: { actor: { kind: 'agent', id: run.streamId }, channel: 'agent' } })
      run.outcome('pages', `${pages.length} pages`)
      const failedImages = [...brought.values()].filter(({ reason }) => reason !== undefined)
      return toolAnswer({ status: answer.status, pagesCreated: pages.map(({ slug }) => slug), totalBlocks: pages.flatMap(({ blocks }) => blocks).length, invalidBlocks: invalid, failedImages, persistedToFile: contentFile })
    }),
    defineLoopTool({ name: 'apply_theme', description: 'Sets CSS variables of a site, from a preset and by name, in its stylesheet and site config.', input: Theme }, async ({ siteId, preset, variables }) => {
      const chosen = preset === undefined ? {} : presetTheme(preset)
      if (!chosen) throw refusals.noPreset(presetNames.join(', '))
      const theme = { ...chosen, ...variables }
      checkTheme(theme)
      const folder = await run.sites.folder(siteId)
      const places = await Promise.all(['app/globals.css', 'src/app/globals.css', 'src/styles/global.css', 'public/theme.css'].map((path) => placeOf(folder, path)))
      const place = places.find(({ exists }) => exists) ?? places.at(-1)
      if (!place) throw fileRefusals.notThere()
      const css = place.exists ? (await readPlace(place, mostPages)).toString('utf8') : ''
      await writePlace(place, withTheme(css, theme))
      if ((await run.sites.settle(siteId)) === 'declined') throw refusals.declined('Changing the theme')
      await agentLog.append({ stream: run.streamId, tool: 'apply_theme', siteId, path: place.path })
      const id = draftOf(run, siteId, scope)
      const edit = { kind: 'config', patch: { themeOverrides: { ...(await parts.drafts.config(id))?.themeOverrides, ...theme } } } as const
      await parts.drafts.commit({ id, edit, actor: { kind: 'agent', id: run.streamId }, channel: 'agent' }, () => undefined)
      return toolAnswer({ status: 'applied', stylesheet: place.path, variables: Object.keys(theme).length })
    }),
    defineLoopTool({ name: 'download_remote_images', description: 'Copies up to 200 images into the site; one that cannot be copied keeps its address.', input: v.object({ siteId: v.string(), images: v.pipe(v.array(Image), v.maxLength(200)) }) }, async ({ siteId, images }) => {
      const brought = await copyImages(run, parts, siteId, images)
      run.outcome('images', `${brought.filter(({ reason }) => reason === undefined).length} of ${brought.length}`)
      return toolAnswer({ images: brought })
    }),
    defineLoopTool({ name: 'download_remote_image', description: 'Copies an image into the site.', input: v.object({ siteId: v.string(), ...Image.entries }) }, async ({ siteId, ...image }) => toolAnswer((await copyImages(run, parts, siteId, [image]))[0])),
  ]
}

/** Copies images from the Google Drive folder of a site. */
export function driveTool(run: SiteRun, { scope }: Pick<SiteParts, 'scope'>, drive: DriveImages): LoopTool {
  return defineLoopTool(
    {
      name: 'browse_gdrive_images',
      description: 'Finds images of a site in Google Drive by part of their names, copies them into the site, and lists their new addresses.',
      input: v.object({
        siteId: v.string(),
        folderId: v.optional(v.pipe(v.string(), v.maxLength(300))),
        query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(15)), 10),
      }),
    },
    async ({ siteId, ...request }, { signal }) => {
      const folder = await run.sites.folder(siteId)
      const { items, reason } = await drive.list(scope.siteId(siteId), request)
      const images = []
      for (const { id, name, alt, width, height } of items) {
        signal.throwIfAborted()
        images.push({ name, alt, width, height, ...(await copy(folder, id)) })
      }
      run.outcome('images', `${images.filter(({ localUrl }) => localUrl !== undefined).length} of ${images.length}`)
      return toolAnswer({ images, ...(reason !== undefined && { reason }) })
    },
  )

  async function copy(folder: string, id: DriveImage['id']): Promise<{ readonly localUrl?: string; readonly reason?: string }> {
    try {
      return { localUrl: await writeImage(folder, await drive.read(id)) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { reason: error.reason }
    }
  }
}
