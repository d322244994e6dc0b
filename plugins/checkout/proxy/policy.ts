/** The content security policies of a website in the frame of the studio. */

/** Returns a policy that lets our script run and says nothing about frames, and the nonce that the script needs. */
function opened(policy: string): { readonly policy: string; readonly nonce?: string } {
  const directives = policy
    .split(';')
    .map((each) => each.trim().split(/\s+/))
    .filter(([name = '']) => name !== '' && name.toLowerCase() !== 'frame-ancestors')
  const rules = new Map(directives.map(([name = '', ...sources]) => [name.toLowerCase(), sources]))
  const name = ['script-src-elem', 'script-src', 'default-src'].find((each) => rules.has(each))
  const sources = name === undefined ? [] : (rules.get(name) ?? [])
  const given = sources.flatMap((each) => /^'nonce-(.+)'$/i.exec(each)?.[1] ?? [])[0]
  // With one of these a browser ignores 'unsafe-inline', so that a nonce takes nothing from the website.
  const isStrict = sources.some((each) => /^'(?:strict-dynamic|nonce-.+|sha\d+-.+)'$/i.test(each))
  const nonce =
    given ?? (isStrict ? crypto.getRandomValues(Buffer.alloc(16)).toString('base64url') : undefined)
  if (name !== undefined && given === undefined)
    rules.set(name, [
      ...sources.filter((each) => each.toLowerCase() !== "'none'"),
      nonce === undefined ? "'self'" : `'nonce-${nonce}'`,
    ])
  return {
    policy: [...rules].map(([each, values]) => [each, ...values].join(' ')).join('; '),
    ...(nonce !== undefined && { nonce }),
  }
}

/** Returns the policies of a page: those of the website, and one that lets only the studio show it in a frame. */
export function framedPolicies(
  headers: readonly string[],
  ancestors: readonly string[],
): { readonly policies: readonly string[]; readonly nonce: string | undefined } {
  const found = headers.flatMap((header) => header.split(',')).map(opened)
  // A script has one nonce: policies with another one get it too.
  const nonce = found.find((each) => each.nonce !== undefined)?.nonce
  const own = `frame-ancestors ${ancestors.join(' ') || "'none'"}`
  const policies = found.flatMap(({ policy, nonce: other }) => {
    if (other === undefined || other === nonce) return policy === '' ? [] : [policy]
    return [policy.replaceAll(`'nonce-${other}'`, `'nonce-${other}' 'nonce-${nonce}'`)]
  })
  return { policies: [...policies, own], nonce }
}
