/** What the service at the origin of the page answers. */
import type { PagePlace } from './mark.ts'

export interface TextsConfig {
  readonly siteId: string
  readonly session: string
  readonly editorOrigin: string
}

export interface PlacesAnswer {
  readonly document?: { readonly slug: string; readonly title: string } | undefined
  readonly places: readonly PagePlace[]
  readonly ambiguous: readonly { readonly index: number; readonly candidates: readonly PagePlace[] }[]
}

const base = '/~editor'

/** The configuration of the script: its attribute, else what the service answers. */
export async function readConfig(script: HTMLOrSVGScriptElement | null): Promise<TextsConfig> {
  const given = script instanceof HTMLElement ? script.dataset['config'] : undefined
  if (given !== undefined) return JSON.parse(given)
  return read(await fetch(`${base}/config`))
}

export const askForPlaces = async (report: string): Promise<PlacesAnswer> =>
  read(
    await fetch(`${base}/places`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: report,
    }),
  )

async function read(response: Response) {
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}
