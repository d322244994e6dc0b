import t from 'tap'
import { checkScreenshots } from '../../config/cli/doctor/providers.ts'
import { NoBrowser } from '../../plugins/preview/browser.ts'

const missing = (kind: NoBrowser['kind']) => async (): Promise<never> => {
  throw new NoBrowser(kind)
}

t.test('doctor names the browser that would take screenshots', async (t) => {
  t.match(await checkScreenshots({ PREVIEW_BROWSER: process.execPath }), {
    item: 'Screenshots',
    state: 'ok',
    says: `Taken with ${process.execPath}.`,
  })
})

t.test(
  'without a browser doctor says what to install or configure, and warns if a configured one is missing',
  async (t) => {
    t.match(await checkScreenshots({}, missing('browser_missing')), {
      state: 'ok',
      says: /Install Chromium, or name its program in PREVIEW_BROWSER/,
    })
    t.match(await checkScreenshots({}, missing('library_missing')), {
      state: 'ok',
      says: /npm install playwright-core/,
    })
    t.match(await checkScreenshots({ PREVIEW_BROWSER: '/none' }, missing('library_missing')), {
      state: 'warn',
      says: /npm install playwright-core/,
    })
    t.match(await checkScreenshots({ PREVIEW_BROWSER: '/none' }), {
      state: 'warn',
      says: /names \/none, which does not exist/,
    })
  },
)
