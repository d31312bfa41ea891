// Made by `npm run words`.
import de from './de.ts'
import en from './en.ts'
import es from './es.ts'
import fr from './fr.ts'

export default { en, de, es, fr }
