import * as v from 'valibot'

const withoutSlash = (text: string): string => text.trim().replace(/(?<!\/)\/+$/, '')
const isOrigin = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

/** One origin, such as `https://www.example.com`. */
export const origins = v.pipe(v.string(), v.transform(withoutSlash), v.check(isOrigin, 'must be an http or https origin'))

/**
 * The site that drafts of the default site are filled from: the one that is named for it, else the first configured origin that is no editor.
 * Editors are known by the word in their name, or by the port that they are developed on.
 */
export function siteOriginOf(env: { readonly AUTO_BOOTSTRAP_SITE_ORIGIN?: string | undefined; readonly ORCHESTRATOR_CORS_ORIGINS?: string | undefined }): string | undefined {
  const listed = (env.ORCHESTRATOR_CORS_ORIGINS ?? '').split(',').map(withoutSlash).filter(isOrigin)
  return env.AUTO_BOOTSTRAP_SITE_ORIGIN ?? listed.find((origin) => !origin.includes('editor') && !origin.includes('4100'))
}
