import { ok, unsafe, warn, type Finding } from '../finding.ts'
import type { HttpAnswer } from '../../shared/http.ts'
import { judged, said, type Site } from './site.ts'

/** No site can publish it, because its pages are no list: it is refused with 400 once the secret is right. */
const harmless = { pages: 'doctor' }

/** Compares the publish secret with that of a site, without publishing anything. */
export function checkPublish(site: Site): Promise<Finding> {
  const token = site.env['PUBLISH_TOKEN']
  return judged('publish secret', async () => {
    const bare = await post(site)
    if (bare.status === 400) return site.isProduction ? unsafe(open) : warn(open)
    if (bare.status !== 401) return odd('Without a secret', bare)
    if (token === undefined) return unsafe(`The site asks for a publish secret, or is closed; ${sameToken}.`)
    const answer = await post(site, token)
    if (answer.status === 400) return ok('It accepts PUBLISH_TOKEN, and refuses requests without it.')
    if (answer.status === 401) return unsafe(`PUBLISH_TOKEN differs, or the site has none; ${sameToken}.`)
    return odd('With PUBLISH_TOKEN', answer)
  })
}

const sameToken = 'set PUBLISH_TOKEN there and here to the same value'
const open = `Everyone may publish to the site; ${sameToken}.`

const post = (site: Site, token?: string): Promise<HttpAnswer> =>
  site.ask('/publish', {
    method: 'POST',
    json: harmless,
    headers: token === undefined ? {} : { 'x-publish-token': token },
  })

function odd(how: string, answer: HttpAnswer) {
  if (answer.status < 300) return unsafe(`${how}, it took a body without pages for a publish; update the site.`)
  const remedy = answer.status === 404 ? 'mount the editor routes there' : 'the log of the site may say why'
  return unsafe(`${how}, POST /api/editor/publish ${said(answer)}; ${remedy}.`)
}
