import type { HttpAnswer } from '../shared/http.ts'
import { ok, unsafe, warn, type Finding, type Judgement } from './finding.ts'
import { judged, said, type Site } from './site-probe.ts'

/** A site refuses it with 400 once the secret is right, because its pages are not a list. */
const harmless = { pages: 'doctor' }

const sameToken = 'set PUBLISH_TOKEN there and here to the same value'

/** Compares the publish secret with that of a site, without publishing anything. */
export function checkPublish(site: Site): Promise<Finding> {
  const token = site.env['PUBLISH_TOKEN']
  const post = (headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
    site.ask('/publish', { method: 'POST', json: harmless, headers })
  return judged('publish secret', async () => {
    const bare = await post({})
    if (bare.status === 400) return (site.isProduction ? unsafe : warn)(`Everyone may publish to the site; ${sameToken}.`)
    if (bare.status !== 401) return unexpected('Without a secret', bare)
    if (token === undefined) return unsafe(`The site requires a publish secret, or is closed; ${sameToken}.`)
    const answer = await post({ 'x-publish-token': token })
    if (answer.status === 400) return ok('It accepts PUBLISH_TOKEN, and refuses requests without it.')
    if (answer.status === 401) return unsafe(`PUBLISH_TOKEN differs, or the site has none; ${sameToken}.`)
    return unexpected('With PUBLISH_TOKEN', answer)
  })
}

function unexpected(how: string, answer: HttpAnswer): Judgement {
  if (answer.status < 300) return unsafe(`${how}, it accepted a publish without pages; update the site.`)
  const remedy = answer.status === 404 ? 'mount the editor routes there' : 'see the log of the site'
  return unsafe(`${how}, POST /api/editor/publish ${said(answer)}; ${remedy}.`)
}
