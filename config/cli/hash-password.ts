import { randomBytes } from 'node:crypto'
import { toPlainHash, toSaltedHash } from '../../plugins/auth/password.ts'
import { defineCommand } from './shared/command.ts'
import { readPassword } from './read-password.ts'

const strength = 128

export const hashPassword = defineCommand({
  name: 'hash-password',
  summary: 'Prints the hash of a password, for ACCESS_PASSWORD_HASH.',
  flags: {
    generate: { help: `Makes a password of ${strength} random bits, and prints it to standard error.` },
    sha256: { help: 'Prints the plain form, which is quick to guess from: for a password of --generate.' },
  },
  async run(given, io) {
    const password = given.has('generate')
      ? randomBytes(strength / 8).toString('base64url')
      : await readPassword(io)
    if (given.has('generate')) io.complain(`The password, shown this once: ${password}`)
    io.line(given.has('sha256') ? toPlainHash(password) : await toSaltedHash(password))
    return 0
  },
})
