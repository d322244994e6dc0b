/** Measures the studio in a browser, on the demo site with 505 pages and a page of 200 blocks: `npm run studio:figures`. */
import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { chromium as browsers, type Page } from 'playwright-core'
import { studioFiles } from '../../plugins/studio/built.ts'
import { chromium } from '../helpers/chromium.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { colleague } from './browser.ts'

const closing: (() => unknown)[] = []
const { origin } = await serveDemo({ teardown: (run) => closing.push(run) })
const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
closing.push(() => browser.close())

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`

/** Writes text by text into a field, and returns the milliseconds until each is shown. */
const typed = (page: Page): Promise<readonly number[]> =>
  page.evaluate(async () => {
    const times: number[] = []
    for (let n = 0; n < 60; n++) {
      const begin = performance.now()
      document.execCommand('insertText', false, 'abcdefghij'.charAt(n % 10))
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      times.push(performance.now() - begin)
      await new Promise((done) => setTimeout(done, 10))
    }
    return times
  })

const opened = async (slug: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}/studio?slug=${slug}`)
  await page.locator('.outline .row').first().waitFor()
  return page
}

/** The milliseconds until a key in a field of the first block is painted. */
async function keys(page: Page): Promise<number> {
  await page.locator('.outline .row').first().click()
  await page.locator('.fields input').first().focus()
  return middle(await typed(page))
}

/** The milliseconds of the longest task of the page while it opens Review; below 50 none is reported. */
async function longestPiece(page: Page): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = [50]
    Reflect.set(window, 'tasks', tasks)
    const observer = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    )
    observer.observe({ type: 'longtask' })
  })
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page.locator('.card').nth(499).waitFor({ state: 'attached', timeout: 60_000 })
  await page.waitForTimeout(500)
  return page.evaluate(() => Math.max(...(Reflect.get(window, 'tasks') as number[])))
}

interface View {
  readonly ms: number
  readonly bytes: number
}

/** The milliseconds between the end of the document and the first outline, with an empty cache, and the scripts that it needs. */
async function firstView(): Promise<View> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (!document.querySelector('.outline .row')) return
      look.disconnect()
      Reflect.set(window, 'shownAt', performance.now())
    })
    look.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${origin}/studio`)
  await page.locator('.outline .row').first().waitFor()
  const view = await page.evaluate(() => {
    const [{ responseEnd } = { responseEnd: 0 }] = performance.getEntriesByType(
      'navigation',
    ) as PerformanceNavigationTiming[]
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const shownAt = Number(Reflect.get(window, 'shownAt'))
    const scripts = loaded.filter(({ name, startTime }) => name.endsWith('.js') && startTime < shownAt)
    return { ms: shownAt - responseEnd, bytes: scripts.reduce((sum, each) => sum + each.encodedBodySize, 0) }
  })
  await page.close()
  return view
}

async function fill(): Promise<void> {
  const paragraph = (n: number) => ({
    id: `b_${n}`,
    type: 'RichText',
    props: { title: `Block ${n}`, body: `Text ${n}` },
  })
  const pages = Array.from({ length: 500 }, (_, n) => ({
    id: `p_${n}`,
    slug: `/many/${n}`,
    title: `Page ${n}`,
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks: n === 0 ? Array.from({ length: 200 }, (_, at) => paragraph(at)) : [],
  }))
  for (const half of [pages.slice(0, 250), pages.slice(250)])
    await colleague(origin).send('/draft/bootstrap', { pages: half, overwrite: true })
}

try {
  const files = studioFiles()
  const sources = globSync('plugins/studio/app/**/*.{ts,tsx,css}')
  const lines = sources.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
  console.log(
    `sources: ${lines.reduce((sum, each) => sum + each, 0)} lines in ${lines.length} files, median ${middle(lines)}, most ${Math.max(...lines)}`,
  )
  const total = Object.values(files).reduce((sum, text) => sum + gzipSync(text).length, 0)
  const runs: View[] = []
  for (let run = 0; run < 7; run++) runs.push(await firstView())
  console.log(
    `first view: ${kilobytes(runs[0]?.bytes ?? 0)} of scripts as sent, of ${kilobytes(total)} for every file`,
  )
  console.log(
    `first view: ${Math.round(middle(runs.map(({ ms }) => ms)))} ms after the document (median of 7)`,
  )

  const few = await keys(await opened('/'))
  await fill()
  const page = await opened('/many/0')
  await page.locator('.outline .row').nth(199).waitFor()
  const many = await keys(page)
  console.log(
    `key in a field beside 200 blocks and 505 pages: ${many.toFixed(1)} ms until it is painted (median of 60), ` +
      `${(many / few).toFixed(2)} times that beside 8 and 6`,
  )
  const list = await page.evaluate(async () => {
    const begin = performance.now()
    document.querySelector<HTMLElement>('.bar [aria-haspopup=dialog]')?.click()
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    return [performance.now() - begin, document.querySelectorAll('.pages li').length]
  })
  console.log(`list of ${list[1]} pages: ${Math.round(list[0] ?? 0)} ms until it is painted`)
  await page.keyboard.press('Escape')
  console.log(`Review of 500 new pages: ${await longestPiece(page)} ms in the longest piece of its work`)
} finally {
  for (const close of closing.toReversed()) await close()
}
