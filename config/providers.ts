import type { Environment } from './env.ts'
import type { Finding } from './finding.ts'

/** What comes from a provider, and the variables that set it up. */
interface MediaProvider {
  readonly name: string
  /** It works when all of them are set. */
  readonly needs: readonly string[]
  /** Mean nothing without those. */
  readonly more?: readonly string[]
}

const mediaProviders: readonly MediaProvider[] = [
  { name: 'Unsplash', needs: ['UNSPLASH_ACCESS_KEY'], more: ['UNSPLASH_BASE_URL'] },
  { name: 'Contentful', needs: ['CONTENTFUL_SPACE_ID', 'CONTENTFUL_DELIVERY_TOKEN'], more: ['CONTENTFUL_ENVIRONMENT', 'CONTENTFUL_BASE_URL'] },
  { name: 'Sanity', needs: ['SANITY_PROJECT_ID'], more: ['SANITY_DATASET', 'SANITY_BASE_URL'] },
  { name: 'Strapi', needs: ['STRAPI_URL'], more: ['STRAPI_TOKEN'] },
]

const item = 'Media providers'

/** Says which providers of images this environment sets up, and what is missing where one is begun. */
export function judgeMediaProviders(env: Environment): readonly Finding[] {
  const isSet = (name: string): boolean => env[name] !== undefined
  const whole = mediaProviders.filter(({ needs }) => needs.every(isSet)).map(({ name }) => name)
  const half = mediaProviders.flatMap(({ name, needs, more = [] }): readonly Finding[] => {
    const missing = needs.filter((variable) => !isSet(variable))
    const begun = [...needs, ...more].filter(isSet)
    if (missing.length === 0 || begun.length === 0) return []
    return [{ item, state: 'warn', says: `${name} is half set up: set ${missing.join(' and ')} too, or unset ${begun.join(' and ')}.` }]
  })
  const says = whole.length === 0 ? 'No provider of images is set up by variables.' : `Set up by variables: ${whole.join(', ')}.`
  return [{ item, state: 'ok', says }, ...half]
}
