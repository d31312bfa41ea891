import type { AllFieldWords } from './all.ts'

const statuses = {
  publish: 'Público',
  future: 'Público desde una fecha',
  draft: 'Borrador',
  pending: 'Para revisión',
  private: 'Solo para la edición',
  trash: 'En la papelera',
}

const content = {
  author: ['Autor'],
  date: [
    'Público desde',
    'En la zona horaria del calendario. Con una fecha futura, aparece por sí solo ese día.',
  ],
  status: ['Quién puede verlo', undefined, statuses],
  slug: ['Dirección', 'El final de su dirección web. Si queda vacío, se forma con el nombre.'],
  description: ['Descripción', 'Una línea vacía empieza un párrafo nuevo. También admite HTML.'],
  image: ['Imagen'],
  external_id: ['Identificador externo', 'El que tiene en otro sistema, si lo hay.'],
} as const

const show_map = ['Mostrar un mapa'] as const
const show_map_link = ['Mostrar un enlace al mapa'] as const
const website = ['Sitio web'] as const

export const es: AllFieldWords = {
  event: {
    ...content,
    title: ['Título'],
    start_date: ['Comienza'],
    end_date: ['Termina', 'Deje la hora vacía si el final está abierto.'],
    all_day: ['Todo el día'],
    recurrence: ['Repetición'],
    timezone: ['Zona horaria', 'La del lugar, como Europe/Rome.'],
    venue: ['Lugar'],
    organizer: ['Organizador'],
    categories: ['Categorías'],
    tags: ['Etiquetas'],
    excerpt: [
      'Resumen',
      'Una o dos frases para las listas. Si queda vacío, las listas muestran el principio de la descripción.',
    ],
    cost: ['Precio', 'Tal como debe leerse: «Gratis», «12», «de 10 a 25».'],
    website: ['Sitio web', 'Donde se lee más o se compran entradas.'],
    ticketed: ['Hay entradas', 'El sitio web se muestra entonces como el modo de conseguirlas.'],
    featured: ['Destacado', 'Resalta en el calendario.'],
    virtual_event_type: [
      'Dónde se celebra',
      undefined,
      { '': 'En el lugar', virtual: 'Solo en línea', hybrid: 'En el lugar y en línea' },
    ],
    virtual_url: ['Enlace para participar'],
    virtual_video_source: ['Servicio', 'El programa o sitio que lo transmite.'],
    event_status: [
      '¿Se celebra?',
      'Un evento cancelado sigue en el calendario y lo dice.',
      {
        scheduled: 'Sí, como se anunció',
        canceled: 'Cancelado',
        postponed: 'Aplazado, sin fecha nueva',
        rescheduled: 'Trasladado a la fecha de arriba',
      },
    ],
    event_status_reason: ['Motivo', 'Lo ve todo el mundo.'],
    show_map,
    show_map_link,
    hide_from_listings: ['No mostrar en listas', 'Solo lo encuentra quien tiene su dirección.'],
    sticky: ['Primero en las vistas de mes'],
    post_parent: ['Pertenece al evento', 'El número de otro evento.'],
    custom_fields: ['Campos propios', 'Cualquier otra cosa. Vacíe ambos para quitar uno.'],
  },
  venue: {
    ...content,
    venue: ['Nombre'],
    address: ['Calle y número'],
    city: ['Ciudad'],
    country: ['País'],
    province: ['Provincia'],
    state: ['Estado'],
    stateprovince: ['Estado o provincia'],
    zip: ['Código postal'],
    phone: ['Teléfono'],
    website,
    show_map,
    show_map_link,
    geo_lat: ['Latitud', 'En grados, como 53.27. Hace falta, con la longitud, para buscar cerca.'],
    geo_lng: ['Longitud', 'En grados, como -9.05.'],
  },
  organizer: {
    ...content,
    organizer: ['Nombre'],
    phone: ['Teléfono'],
    website,
    email: ['Correo electrónico'],
  },
  category: {
    name: ['Nombre'],
    parent: ['Pertenece a'],
    description: ['Descripción'],
    slug: content.slug,
  },
  tag: { name: ['Nombre'], description: ['Descripción'], slug: content.slug },
  image: {
    alt_text: ['Qué muestra', 'Para quienes no la ven: basta una frase.'],
    title: ['Título', 'El nombre con el que la encuentra aquí.'],
    caption: ['Pie de imagen', 'Por ejemplo, quién la hizo.'],
  },
  source: {
    name: ['Nombre', 'Aparece en sus eventos.'],
    url: ['Dirección'],
    every: [
      'Con qué frecuencia se lee',
      undefined,
      {
        hour: 'Cada hora',
        '6 hours': 'Cada seis horas',
        day: 'Cada día',
        week: 'Cada semana',
        '': 'Solo cuando yo lo diga',
      },
    ],
    status: [
      'Eventos nuevos',
      undefined,
      { publish: 'Aparecen enseguida', pending: 'Esperan revisión', draft: 'Quedan como borradores' },
    ],
    categories: ['Categorías que reciben sus eventos'],
    tags: ['Etiquetas que reciben sus eventos'],
    venue: ['Lugar', 'De los eventos que no nombran ninguno.'],
    organizer: ['Organizador', 'De los eventos que no nombran ninguno.'],
    search: ['Solo eventos con una de estas palabras', 'Déjelo vacío para todos.'],
    mirror: [
      'Todo tal como está allí',
      'Lo que cambie aquí se deshace, y lo que desaparece allí va aquí a la papelera. Si no, lo que cambie aquí se queda.',
    ],
    rights: [
      'Derechos',
      'Si el otro calendario pide una nota en sus eventos.',
      { text: 'Texto, como «CC BY 4.0»', url: 'Enlace a las condiciones' },
    ],
  },
}
