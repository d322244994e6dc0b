/** The website in the frame of the studio. */
import { basename, extname } from 'node:path'
import type { ElementHandle, Frame, Page } from 'playwright-core'
import { until } from '../helpers/until.ts'
import type { ExchangedPicture, TypedText } from './starter.ts'

/** How long a page may take to show something before it is loaded again. */
const loadedMs = 15_000
/** How long the marks of a page have not changed once they are settled. */
const quietMs = 1500

export function createSitePage(page: Page, origin: string) {
  let shown = ''

  const frameNow = (): Frame | undefined =>
    page.frames().find((each) => /^http:\/\/[^/]+\.edit\.localhost:/.test(each.url()))

  const frame = async (): Promise<Frame> => {
    await until(() => frameNow() !== undefined, 'the frame')
    const found = frameNow()
    if (!found) throw new Error('the studio shows no page')
    return found
  }

  /** The element that shows a text and can be typed in, outside of navigation if there is one. */
  async function fieldOf(text: string): Promise<ElementHandle<HTMLElement> | undefined> {
    const handle = await (
      await frame()
    ).evaluateHandle((text) => {
      const fields = [...document.querySelectorAll<HTMLElement>('[data-editable-marked]')].filter(
        (each) =>
          each.textContent
            .replaceAll(/[\u200B\u00AD]/g, '')
            .replaceAll(/\s+/g, ' ')
            .trim() === text,
      )
      return fields.find((each) => each.closest('main') && !each.closest('nav, aside')) ?? fields[0]
    }, text)
    return (handle.asElement() as ElementHandle<HTMLElement> | null) ?? undefined
  }

  const untilField = async (text: string): Promise<ElementHandle<HTMLElement>> => {
    let field: ElementHandle<HTMLElement> | undefined
    await until(async () => {
      // The page may be loaded again meanwhile.
      field = await fieldOf(text).catch(() => undefined)
      return field !== undefined
    }, `“${text}” on the page`)
    if (!field) throw new Error('unreachable')
    return field
  }

  async function open(at: string): Promise<void> {
    if (shown === at) return
    await page.goto(`${origin}/studio?slug=${encodeURIComponent(at)}`)
    shown = at
    await (await frame()).locator('html[data-editor-selection-mode]').waitFor()
  }

  /** Loads a page again from time to time, as a person does, until something holds. */
  async function untilLoaded(at: string, what: string, holds: () => Promise<boolean>): Promise<void> {
    let loadedAt = -loadedMs
    await until(async () => {
      if (performance.now() - loadedAt > loadedMs) {
        shown = ''
        await open(at)
        loadedAt = performance.now()
      }
      return holds().catch(() => false)
    }, `${what} on ${at}`)
  }

  /** Whether the text under the caret ends so, once it does; a rendering may have taken the caret away instead. */
  async function endsWith(end: string): Promise<boolean> {
    let isTyped = false
    await until(async () => {
      const now = await (
        await frame()
      )
        .evaluate(() => {
          const { isContentEditable, textContent } = document.activeElement as HTMLElement
          const text = textContent.replaceAll('\u00A0', ' ').replaceAll(/[\u200B\u00AD]/g, '')
          return isContentEditable ? text.trimEnd() : undefined
        })
        .catch(() => undefined)
      isTyped = now?.endsWith(end) === true
      return isTyped || now === undefined
    }, `“${end}” under the caret`)
    return isTyped
  }

  return {
    open,
    /** Types at the end of a text, and returns when its first letter was on the page. */
    async type({ at, shown, adds }: TypedText): Promise<number> {
      await open(at)
      const [first = '', ...rest] = adds.trim()
      await until(async () => {
        const field = await untilField(shown)
        if (!(await begin(field).catch(() => false))) return false
        await page.keyboard.type(` ${first}`)
        return endsWith(` ${first}`)
      }, `typing in “${shown}”`)
      const letterAt = performance.now()
      await page.keyboard.type(rest.join(''))
      await page.keyboard.press('Enter')
      return letterAt
    },
    /** Chooses another picture of the website, until the page shows it. */
    async exchange({ at, alt, to }: ExchangedPicture): Promise<void> {
      await open(at)
      const dialog = page.getByRole('dialog', { name: /^Choose a picture/ })
      await until(async () => {
        const picture = (await frame()).locator(`img[data-editable-target][alt="${alt}"]`)
        await picture.click({ timeout: 5000 }).catch(() => undefined)
        await page.waitForTimeout(600)
        return dialog.isVisible()
      }, `the pictures for “${alt}”`)
      await dialog.getByTitle(basename(to)).click()
      await dialog.getByLabel('Image description').fill(alt)
      await dialog.getByRole('button', { name: 'Use this picture' }).click()
      const name = basename(to, extname(to))
      await (await frame()).locator(`img[alt="${alt}"][src*="${name}"]`).waitFor()
    },
    /** Waits until the page shows a text of the content, and the website itself what was typed. */
    async shows(text: string): Promise<void> {
      await untilField(text)
      await until(async () => {
        const awaited = await (
          await frame()
        )
          .evaluate(() => {
            const memory = sessionStorage.getItem(`editor:texts ${location.pathname}`)
            return (JSON.parse(memory ?? '{}') as { awaited?: readonly unknown[] }).awaited?.length ?? 0
          })
          .catch(() => undefined)
        return awaited === 0
      }, `“${text}” of the website`)
      await untilField(text)
    },
    /** Opens a page that the website has to make, until it has a text. */
    showsNew: (at: string, text: string): Promise<void> =>
      untilLoaded(at, `“${text}”`, async () => (await fieldOf(text)) !== undefined),
    /** Opens a page, until it has one text of a file before another one. */
    async showsFirst(at: string, ...texts: readonly [first: string, second: string]): Promise<void> {
      const [first = '', second = ''] = texts.map((text) => text.replaceAll('`', ''))
      await untilLoaded(at, `“${first}” above “${second}”`, async () => {
        const text = await (await frame()).evaluate(() => document.body.textContent)
        return text.includes(first) && text.indexOf(first) < text.indexOf(second)
      })
    },
    /** Waits until the page has its marks. */
    async settled(): Promise<Frame> {
      const marks = async (): Promise<number> =>
        (await frame())
          .locator('[data-editable-target]')
          .count()
          .catch(() => 0)
      let [count, since] = [0, performance.now()]
      await until(async () => {
        const now = await marks()
        if (now !== count) [count, since] = [now, performance.now()]
        return count > 0 && performance.now() - since > quietMs
      }, 'the marks of the page')
      return frame()
    },
  }

  /** Puts the caret at the end of a text; returns whether it is there. */
  async function begin(field: ElementHandle<HTMLElement>): Promise<boolean> {
    await field.scrollIntoViewIfNeeded()
    const area = await field.boundingBox()
    if (!area) return false
    await page.mouse.dblclick(area.x + Math.min(12, area.width / 2), area.y + Math.min(12, area.height / 2))
    await page.waitForTimeout(100)
    if (!(await field.evaluate((element) => element.isContentEditable))) return false
    await page.keyboard.press('ControlOrMeta+End')
    return true
  }
}
