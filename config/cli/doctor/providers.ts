import { findBrowser, NoBrowser } from '../../../plugins/preview/browser.ts'
import type { Environment } from '../../env.ts'
import { ok, warn, type Finding } from './finding.ts'

/**
 * A provider of media, the groups of variables of which one each must be set, and the variables that only this provider
 * reads, which are useless while something is missing.
 */
type Provider = readonly [name: string, needs: readonly (readonly string[])[], own: readonly string[]]

const providers: readonly Provider[] = [
  ['Unsplash', [['UNSPLASH_ACCESS_KEY']], ['UNSPLASH_BASE_URL']],
  ['Contentful', [['CONTENTFUL_SPACE_ID'], ['CONTENTFUL_DELIVERY_TOKEN']],
    ['CONTENTFUL_SPACE_ID', 'CONTENTFUL_DELIVERY_TOKEN', 'CONTENTFUL_ENVIRONMENT', 'CONTENTFUL_BASE_URL']],
  ['Sanity', [['SANITY_PROJECT_ID']], ['SANITY_DATASET', 'SANITY_BASE_URL']],
  ['Strapi', [['STRAPI_URL']], ['STRAPI_TOKEN']],
  ['Google Drive', [['GOOGLE_SERVICE_ACCOUNT_KEY_JSON', 'GOOGLE_API_KEY'], ['GOOGLE_DRIVE_FOLDER_ID']],
    ['SERVICE_ACCOUNT_KEY_JSON', 'API_KEY', 'DRIVE_FOLDER_ID', 'DRIVE_ALLOWED_FOLDERS', 'DRIVE_BASE_URL'].map((name) => `GOOGLE_${name}`)],
  ['Recordings', [['OPENAI_API_KEY', 'OPENAI_BASE_URL'], ['OPENAI_API_KEY', 'OPENAI_TRANSCRIBE_MODEL']],
    ['OPENAI_TRANSCRIBE_MODEL', 'OPENAI_TRANSCRIBE_FALLBACK_MODELS']],
]

/** Says which providers are configured, and what is missing where one is configured incompletely. */
export function judgeMediaProviders(env: Environment): readonly Finding[] {
  const item = 'Media providers'
  const isSet = (name: string): boolean => env[name] !== undefined
  const states = providers.map(([name, needs, own]) => ({ name, begun: own.filter(isSet), missing: needs.filter((group) => !group.some(isSet)) }))
  const complete = states.filter(({ missing }) => missing.length === 0).map(({ name }) => name)
  const incomplete = states.filter(({ begun, missing }) => begun.length > 0 && missing.length > 0)
  return [
    { item, ...ok(complete.length === 0 ? 'No media provider is configured by variables.' : `Configured by variables: ${complete.join(', ')}.`) },
    ...incomplete.map(({ name, begun, missing }) => {
      const groups = missing.map((group) => group.join(' or ')).join(' and ')
      return { item, ...warn(`${name} is configured incompletely: set ${groups} too, or unset ${begun.join(' and ')}.`) }
    }),
  ]
}

/** Says which browser takes screenshots, or what is missing; a warning only where a browser was named. */
export async function judgeScreenshots({ PREVIEW_BROWSER: program }: Environment, find: typeof findBrowser = findBrowser): Promise<Finding> {
  const item = 'Screenshots'
  try {
    const { executablePath } = await find(program)
    return { item, ...ok(`Taken with ${executablePath}.`) }
  } catch (error) {
    const judge = program === undefined ? ok : warn
    const isLibrary = error instanceof NoBrowser && error.kind === 'library_missing'
    if (isLibrary) return { item, ...judge('Not available: the package playwright-core is missing. Run npm install playwright-core.') }
    if (program !== undefined) return { item, ...judge(`PREVIEW_BROWSER names ${program}, which does not exist; name the program of a Chromium, or unset it.`) }
    return { item, ...judge('Not available: no browser was found. Install Chromium, or name its program in PREVIEW_BROWSER.') }
  }
}
