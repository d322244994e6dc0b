import * as v from 'valibot'
import { sameAddress } from '../../../content/site-address.ts'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { Problem } from '../problem.ts'
import { designOf, notAnAddress, type Scraper } from '../scrape/website.ts'
import type { SiteRun } from '../run/site-run.ts'

const Address = v.object({ url: v.pipe(v.string(), v.maxLength(2000)) })

/** Creates the tools that read other websites through `outbound`. */
export function scrapeTools(run: SiteRun, scraper: Scraper): readonly LoopTool[] {
  return [
    defineLoopTool(
      {
        name: 'discover_site_structure',
        description: 'Lists the pages of a website, from its sitemap or its links.',
        input: Address,
      },
      async ({ url }, { signal }) => {
        const found = await scraper.structure(url, signal)
        run.outcome('analyzing', `${found.totalPages} pages`)
        return toolAnswer(found)
      },
    ),
    defineLoopTool(
      {
        name: 'scrape_url',
        description:
          'Reads a page: title, description, navigation, outline, sections and design, with a screenshot ' +
          'if the service has a browser.',
        input: Address,
      },
      async ({ url }, { signal }) => {
        const page = await scraper.page(url, signal)
        const jpeg = await run.camera?.photograph(new URL(page.url), { signal }).catch(() => {
          signal.throwIfAborted()
          return undefined
        })
        return {
          ...toolAnswer(page),
          ...(jpeg !== undefined && {
            pictures: [{ type: 'image/jpeg', bytes: Buffer.from(jpeg, 'base64') }],
          }),
        }
      },
    ),
    defineLoopTool(
      {
        name: 'generate_page_specs',
        description: 'Suggests a block for every section of a page, with its text and images as props.',
        input: Address,
      },
      async ({ url }, { signal }) => {
        const { sections, tokens, themeVariables, navigation, slug, title, description } = await scraper.page(
          url,
          signal,
        )
        return toolAnswer({ slug, title, description, navigation, tokens, themeVariables, sections })
      },
    ),
    defineLoopTool(
      {
        name: 'extract_design_tokens',
        description: 'Finds colours, fonts and radii in a stylesheet of at most 1 MiB.',
        input: v.object({ css: v.pipe(v.string(), v.maxLength(1024 * 1024)) }),
      },
      async ({ css }) => toolAnswer(designOf(css)),
    ),
  ]
}

/** Creates the tool that shows a page of this run and its original, for the model to compare. */
export function visualDiffTool(run: SiteRun): LoopTool {
  const { camera, servers } = run
  return defineLoopTool(
    {
      name: 'visual_qa_diff',
      description: 'Shows a page of a site of this run beside its original.',
      input: v.object({ generatedSiteUrl: v.string(), originalUrl: v.string() }),
    },
    async ({ generatedSiteUrl, originalUrl }, { signal }) => {
      const [own, original] = [URL.parse(generatedSiteUrl), URL.parse(originalUrl)]
      if (!own || !original) throw notAnAddress()
      if (!servers.running().some(({ url, siteId }) => sameAddress(url, own.origin) && run.ready.has(siteId)))
        throw new Problem(
          'generatedSiteUrl has to be a page of a site that this run made or integrated, and that runs.',
        )
      if (!camera)
        throw new Problem(
          'No browser for screenshots is available. Load the preview plugin, and install the packages that it names.',
        )
      const bytes = await Promise.all([
        camera.photograph(own, { allowOrigin: true, signal }),
        camera.photograph(original, { signal }),
      ])
      run.outcome('verifying', 'compared with the original')
      return {
        text: 'The first picture is the new page, the second one its original.',
        pictures: bytes.map((jpeg) => ({ type: 'image/jpeg', bytes: Buffer.from(jpeg, 'base64') })),
      }
    },
  )
}
