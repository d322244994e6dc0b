import { existsSync } from 'node:fs'
import { findBrowser } from '../../plugins/preview/testing.ts'

const named = process.env['CHROMIUM_PATH']
// A test that is skipped where a browser was promised would pass unseen.
if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist`)

/**
 * The path of the browser of the tests, the one in CHROMIUM_PATH or where the service finds one;
 * undefined without any.
 */
export const chromium = await findBrowser(named).then(
  ({ executablePath }) => executablePath,
  () => undefined,
)

/** The options of a test that needs it. */
export const inBrowser = {
  skip:
    chromium === undefined &&
    'there is no browser here: install Chromium or Chrome, or name one in CHROMIUM_PATH',
}
