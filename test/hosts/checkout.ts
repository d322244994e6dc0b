/**
 * Websites of frameworks that are installed as they are today, each in a checkout with its own development server
 * and seen through the proxy in a browser: `npm run test:hosts`.
 */
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import type { Frame } from 'playwright-core'
import { createPreviewProxy } from '../../plugins/checkout/port.ts'
import { run } from '../helpers/built-package.ts'
import { checkoutOf, website } from '../helpers/checkouts.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { listen } from '../helpers/raw.ts'
import { openPage } from './browser.ts'

interface Site {
  readonly packages: readonly string[]
  readonly dev: string
  readonly files: Readonly<Record<string, string>>
  /** A file, and the address that shows it. */
  readonly file: string
  readonly path: string
}

const oak = 'Oak is heavy.'
const post = `---\ntitle: Oak\n---\n\n${oak}\n`
const sites: Readonly<Record<string, Site>> = {
  eleventy: {
    packages: ['@11ty/eleventy@3'],
    dev: 'eleventy --serve',
    files: {
      '_includes/base.njk':
        '<!doctype html>\n<html><head><title>{{ title }}</title></head><body>{{ content | safe }}</body></html>',
      'posts/posts.json': '{ "layout": "base.njk" }',
      'posts/oak.md': post,
    },
    file: 'posts/oak.md',
    path: '/posts/oak/',
  },
  vitepress: {
    packages: ['vitepress@1'],
    dev: 'vitepress dev docs',
    files: { 'docs/index.md': '# Boats\n', 'docs/oak.md': post },
    file: 'docs/oak.md',
    path: '/oak',
  },
  astro: {
    packages: ['astro'],
    dev: 'astro dev',
    files: { 'src/pages/oak.md': post },
    file: 'src/pages/oak.md',
    path: '/oak/',
  },
}

/** The frame of a page of the studio's site, which shows the preview at `path`. */
async function inFrame(
  t: Test,
  origin: () => string | undefined,
  path: string,
): Promise<{ frame: () => Frame; errors: readonly string[] }> {
  const hosts = { studio: 'edit.localhost', preview: 'p1.edit.localhost' }
  const server = createServer((request, response) => {
    if (request.headers.host?.startsWith(hosts.preview)) return void proxy.request(request, response)
    const src = `http://${hosts.preview}:${port}/~enter?key=key&to=${path}`
    return response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><iframe src="${src}"></iframe>`)
  })
  server.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head))
  const port = await listen(t, server)
  const proxy = createPreviewProxy({
    origin,
    isHost: (host) => host === `${hosts.preview}:${port}`,
    key: 'key',
    script: '/~script.js',
    frameAncestors: [`http://${hosts.studio}:${port}`],
    own: (request, response) => {
      if (request.url !== '/~script.js') return false
      // A module, which has no `document.currentScript`.
      const script =
        'document.documentElement.dataset.first = String(document.head.firstElementChild?.src === import.meta.url)'
      response.setHeader('content-type', 'text/javascript').end(script)
      return true
    },
  })
  t.teardown(() => proxy.close())
  const { page, errors } = await openPage(t)
  await page.goto(`http://${hosts.studio}:${port}/`)
  const frame = (): Frame => {
    const [, found] = page.frames()
    if (!found) throw new Error('the page has no frame')
    return found
  }
  return { frame, errors }
}

for (const [name, { packages, dev, files, file, path }] of Object.entries(sites))
  t.test(`${name} shows a draft in the frame, as it is typed`, inBrowser, async (t) => {
    const manifest = JSON.stringify({ name, private: true, type: 'module', scripts: { dev } })
    const site = website(t, { ...files, 'package.json': manifest })
    await run('npm', ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
      cwd: site.folder,
    })
    site.git('add', '.')
    site.git(
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.com',
      'commit',
      '--quiet',
      '--message',
      'Packages',
    )
    const checkout = await checkoutOf(t, site)
    await checkout.start(AbortSignal.timeout(120_000))
    const { frame, errors } = await inFrame(t, () => checkout.origin, path)
    await frame().getByText(oak).waitFor()
    t.equal(
      await frame().locator('html').getAttribute('data-first'),
      'true',
      'the script is first in the head',
    )
    await checkout.write([{ path: file, text: post.replace(oak, 'Oak floats.') }])
    await frame().getByText('Oak floats.').waitFor()
    t.strictSame(errors, [])
    await checkout.close()
    t.equal(site.git('status', '--short'), '', 'nothing is written in the repository')
  })
