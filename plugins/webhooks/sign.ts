import { BootError } from '../../kernel/index.ts'

/** Makes the value of `webhook-signature`: one signature for each secret. */
export type Sign = (secrets: readonly string[], message: { readonly id: string; readonly at: Date; readonly payload: string }) => string

/** Signs as Standard Webhooks says. Throws a BootError where the library, an optional package, is not installed. */
export async function createSigner(): Promise<Sign> {
  const { Webhook } = await importLibrary()
  return (secrets, { id, at, payload }) => secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(' ')
}

async function importLibrary() {
  try {
    return await import('standardwebhooks')
  } catch {
    throw new BootError(['webhooks are set up, and the package standardwebhooks is not installed: run npm install standardwebhooks'])
  }
}
