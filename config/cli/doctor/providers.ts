import { findBrowser, NoBrowser } from '../../../plugins/preview/browser.ts'
import type { Environment } from '../../env.ts'
import type { Finding } from './finding.ts'

/** What comes from a provider, and the variables that set it up. */
interface Provider {
  readonly name: string
  /** It works when one of each group is set. */
  readonly needs: readonly (readonly string[])[]
  /** Variables of this provider alone: they mean nothing while something is missing. */
  readonly own: readonly string[]
}

const providers: readonly Provider[] = [
  { name: 'Unsplash', needs: [['UNSPLASH_ACCESS_KEY']], own: ['UNSPLASH_BASE_URL'] },
  {
    name: 'Contentful',
    needs: [['CONTENTFUL_SPACE_ID'], ['CONTENTFUL_DELIVERY_TOKEN']],
    own: ['CONTENTFUL_SPACE_ID', 'CONTENTFUL_DELIVERY_TOKEN', 'CONTENTFUL_ENVIRONMENT', 'CONTENTFUL_BASE_URL'],
  },
  { name: 'Sanity', needs: [['SANITY_PROJECT_ID']], own: ['SANITY_DATASET', 'SANITY_BASE_URL'] },
  { name: 'Strapi', needs: [['STRAPI_URL']], own: ['STRAPI_TOKEN'] },
  {
    name: 'Google Drive',
    needs: [['GOOGLE_SERVICE_ACCOUNT_KEY_JSON', 'GOOGLE_API_KEY'], ['GOOGLE_DRIVE_FOLDER_ID']],
    own: ['GOOGLE_SERVICE_ACCOUNT_KEY_JSON', 'GOOGLE_API_KEY', 'GOOGLE_DRIVE_FOLDER_ID', 'GOOGLE_DRIVE_ALLOWED_FOLDERS', 'GOOGLE_DRIVE_BASE_URL'],
  },
  {
    name: 'Recordings',
    needs: [['OPENAI_API_KEY', 'OPENAI_BASE_URL'], ['OPENAI_API_KEY', 'OPENAI_TRANSCRIBE_MODEL']],
    own: ['OPENAI_TRANSCRIBE_MODEL', 'OPENAI_TRANSCRIBE_FALLBACK_MODELS'],
  },
]

const item = 'Media providers'

/** Says which providers this environment sets up, and what is missing where one is begun. */
export function judgeMediaProviders(env: Environment): readonly Finding[] {
  const isSet = (name: string): boolean => env[name] !== undefined
  const missingOf = ({ needs }: Provider) => needs.filter((group) => !group.some(isSet))
  const whole = providers.filter((provider) => missingOf(provider).length === 0).map(({ name }) => name)
  const half = providers.flatMap((provider): readonly Finding[] => {
    const missing = missingOf(provider).map((group) => group.join(' or '))
    const begun = provider.own.filter(isSet)
    if (missing.length === 0 || begun.length === 0) return []
    return [{ item, state: 'warn', says: `${provider.name}: half set up. Set ${missing.join(' and ')} too, or unset ${begun.join(' and ')}.` }]
  })
  const says = whole.length === 0 ? 'No provider of media is set up by variables.' : `Set up by variables: ${whole.join(', ')}.`
  return [{ item, state: 'ok', says }, ...half]
}

/** Says which browser would take screenshots, or what is missing; only a browser that was named and is not there is a warning. */
export async function judgeScreenshots({ PREVIEW_BROWSER: program }: Environment, find: typeof findBrowser = findBrowser): Promise<Finding> {
  const item = 'Screenshots'
  try {
    const { executablePath } = await find(program)
    return { item, state: 'ok', says: `Taken with ${executablePath}.` }
  } catch (error) {
    const isLibrary = error instanceof NoBrowser && error.kind === 'library_missing'
    const state = program === undefined ? 'ok' : 'warn'
    if (isLibrary) return { item, state, says: 'Not taken: the package playwright-core is missing. Run npm install playwright-core.' }
    if (program !== undefined) return { item, state, says: `PREVIEW_BROWSER names ${program}, which is not there; name the program of a Chromium, or unset it.` }
    return { item, state, says: 'Not taken: no browser was found. Install Chromium, or name its program in PREVIEW_BROWSER.' }
  }
}
