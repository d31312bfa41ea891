/**
 * The abbreviations of time zones (CET, EDT, IST) in the IANA time zone database 2026f, for 1990-2037. Written by
 * test/generators/zone-letters.ts.
 *
 * A line is a pattern and the zones that share it; an indented line continues the one above. `EET2EEST3` names the
 * offsets: EET at UTC+2, EEST at UTC+3. The part after `<2016-09-06T21:00>` applies from that instant (UTC) on, and `=3`
 * means that UTC+3 has no letters any more. `Asia/Gaza,Hebron` are two zones of one area. Zones without letters, which
 * the database names by their offset, are left out.
 */
export const ZONE_LETTERS = `
CET1CEST2 CET,MET,Poland Africa/Ceuta,Tunis Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Amsterdam,
  Andorra,Belgrade,Berlin,Bratislava,Brussels,Budapest,Busingen,Copenhagen,Gibraltar,Ljubljana,Luxembourg,
  Madrid,Malta,Monaco,Oslo,Paris,Podgorica,Prague,Rome,San_Marino,Sarajevo,Skopje,Stockholm,Tirane,Vaduz,
  Vatican,Vienna,Warsaw,Zagreb,Zurich
GMT0 GMT,GMT+0,GMT-0,GMT0,Greenwich,Iceland Africa/Abidjan,Accra,Bamako,Banjul,Bissau,Conakry,Dakar,
  Freetown,Lome,Monrovia,Nouakchott,Ouagadougou,Timbuktu America/Danmarkshavn Atlantic/Reykjavik,St_Helena
  Etc/GMT,GMT+0,GMT-0,GMT0,Greenwich
AST-4 America/Anguilla,Antigua,Aruba,Barbados,Blanc-Sablon,Curacao,Dominica,Grenada,Guadeloupe,Kralendijk,
  Lower_Princes,Marigot,Martinique,Montserrat,Port_of_Spain,Puerto_Rico,St_Barthelemy,St_Kitts,St_Lucia,
  St_Thomas,St_Vincent,Tortola,Virgin
EST-5EDT-4 EST5EDT America/Detroit,Fort_Wayne,Indianapolis,Louisville,Montreal,Nassau,New_York,Nipigon,
  Port-au-Prince,Thunder_Bay,Toronto America/Indiana/Indianapolis,Marengo,Vevay
  America/Kentucky/Louisville Canada/Eastern US/East-Indiana,Eastern,Michigan
AEDT11AEST10 Antarctica/Macquarie Australia/ACT,Brisbane,Canberra,Currie,Hobart,Lindeman,Melbourne,NSW,
  Queensland,Sydney,Tasmania,Victoria
EET2EEST3 EET,Egypt Africa/Cairo Asia/Beirut,Nicosia Europe/Athens,Bucharest,Helsinki,Mariehamn,Nicosia,
  Riga,Sofia,Tallinn
CST-6CDT-5 CST6CDT America/Chicago,Costa_Rica,Guatemala,Matamoros,Menominee,Merida,Mexico_City,Monterrey,
  Tegucigalpa Mexico/General US/Central
EAT3 Africa/Addis_Ababa,Asmara,Asmera,Dar_es_Salaam,Djibouti,Kampala,Mogadishu,Nairobi
  Indian/Antananarivo,Comoro,Mayotte
WAT1 Africa/Bangui,Brazzaville,Douala,Kinshasa,Lagos,Libreville,Luanda,Malabo,Ndjamena,Niamey,Porto-Novo
MST-7MDT-6 MST7MDT,Navajo America/Boise,Denver,Hermosillo,Mazatlan,Shiprock Mexico/BajaSur US/Mountain
CAT2 Africa/Blantyre,Bujumbura,Gaborone,Harare,Kigali,Lubumbashi,Lusaka,Maputo
UTC0 UCT,UTC,Universal,Zulu Etc/UCT,UTC,Universal,Zulu
AST-4ADT-3 America/Glace_Bay,Goose_Bay,Halifax,Moncton,Thule Atlantic/Bermuda Canada/Atlantic
EST-5 EST,Jamaica America/Atikokan,Cayman,Coral_Harbour,Jamaica,Panama
GMT0BST1 GB,GB-Eire Europe/Belfast,Guernsey,Isle_of_Man,Jersey,London
PST-8PDT-7 PST8PDT America/Ensenada,Los_Angeles,Santa_Isabel,Tijuana Mexico/BajaNorte US/Pacific
AKST-9AKDT-8 America/Anchorage,Juneau,Nome,Sitka,Yakutat US/Alaska
CST-6 America/Belize,El_Salvador,Regina,Swift_Current Canada/Saskatchewan
CST8CDT9 PRC Asia/Chongqing,Chungking,Harbin,Shanghai
MST-7 MST America/Creston,Dawson_Creek,Phoenix US/Arizona
ACDT10.5ACST9.5 Australia/Adelaide,Broken_Hill,South,Yancowinna
CST8 ROC Asia/Macao,Macau,Taipei
HST-10 HST Pacific/Honolulu,Johnston US/Hawaii
MSK3MSD4<1990-06-30T22:00>EEST3EET2 Europe/Kiev,Kyiv,Uzhgorod,Zaporozhye
MST-7MDT-6<2026-11-01T08:00>CST-6 America/Edmonton,Inuvik,Yellowknife Canada/Mountain
NZDT13NZST12 NZ Antarctica/McMurdo,South_Pole Pacific/Auckland
SST-11 Pacific/Midway,Pago_Pago,Samoa US/Samoa
WET0WEST1 Atlantic/Canary,Faeroe,Faroe,Madeira
CST-6CDT-5<1991-10-27T07:00>EST-5<2006-04-02T07:00>CDT-5 America/Knox_IN America/Indiana/Knox
  US/Indiana-Starke
CST-6CDT-5<2026-11-01T07:00>EST-5 America/Rainy_River,Winnipeg Canada/Central
EET2EEST3<2016-09-06T21:00>=3 Turkey Asia/Istanbul Europe/Istanbul
HST-10HDT-9 America/Adak,Atka US/Aleutian
IST2IDT3 Israel Asia/Jerusalem,Tel_Aviv
PST-8PDT-7<2020-11-01T07:00>MST-7 America/Dawson,Whitehorse Canada/Yukon
SAST2 Africa/Johannesburg,Maseru,Mbabane
WET0WEST1<1992-09-27T01:00>CET1CEST2<1996-03-31T01:00>WEST1 Portugal,WET Europe/Lisbon
ACST9.5 Australia/Darwin,North
AWST8AWDT9 Australia/Perth,West
CAT2EAT3 Africa/Juba,Khartoum
CET1EET2<1997-04-03T23:00>CEST2<1997-10-03T22:00>EET2<2013-03-29>CEST2<2013-10-25>EET2 Libya
  Africa/Tripoli
CST-5CDT-4 Cuba America/Havana
CST-6CDT-5<1998-04-05T09:00>MDT-6MST-7<2022-10-30T08:00>CST-6 America/Chihuahua,Ojinaga
EST-5<2006-04-02T07:00>CDT-5CST-6<2007-11-04T07:00>EST-5EDT-4 America/Indiana/Petersburg,Vincennes
EST-5EDT-4CST-6<2000-04-02T08:00>CDT-5<2000-10-29T07:00>EST-5 America/Iqaluit,Pangnirtung
GMT0IST1 Eire Europe/Dublin
GST10<2000-12-22T14:00>ChST10 Pacific/Guam,Saipan
HKT8 Hongkong Asia/Hong_Kong
IST2IDT3<1995-12-31T22:00>EET2<1996-04-04T22:00>EEST3 Asia/Gaza,Hebron
IST5.5 Asia/Calcutta,Kolkata
JST9 Japan Asia/Tokyo
KST9 ROK Asia/Seoul
MSK3MSD4<1990-05-05T22:00>EEST3EET2 Europe/Chisinau,Tiraspol
MSK3MSD4<1991-03-30T23:00>EEST3EET2<1992-01-19>MSK3<2011-03-26T23:00>MSK4 W-SU Europe/Moscow
NST-3.5NDT-2.5 America/St_Johns Canada/Newfoundland
PST-8PDT-7<2026-11-01T09:00>MST-7 America/Vancouver Canada/Pacific
WIB7 Asia/Jakarta,Pontianak
WITA8 Asia/Makassar,Ujung_Pandang
<1992-12-27T02:00>WET0WEST1<1993-06-17T01:00>=0 Atlantic/Azores
AST-4EST-5 America/Santo_Domingo
CET1 Africa/Algiers
CST-6CDT-5<1997-10-26T07:00>EST-5EDT-4<1998-08-02T06:00>CDT-5<2015-02-01T08:00>EST-5 America/Cancun
CST-6CDT-5<1998-04-05T09:00>MDT-6MST-7<2022-10-30T08:00>CST-6<2023-03-12T09:00>MDT-6 America/Ciudad_Juarez
CST-6CDT-5<2000-10-29T07:00>EST-5<2001-04-01T08:00>CDT-5 America/Rankin_Inlet
CST-6CDT-5<2000-10-29T07:00>EST-5<2001-04-01T08:00>CDT-5<2006-10-29T07:00>EST-5<2007-03-11T08:00>CDT-5
  America/Resolute
CST-6CDT-5<2000-10-29T07:00>EST-5EDT-4 America/Kentucky/Monticello
CST-6EST-5<2005-04-10T06:00>CDT-5 America/Managua
EET2EEST3<1998-03-29T01:00>CEST2CET1<1999-10-31T01:00>EET2 Europe/Vilnius
EET2EEST3<2011-03-27>=3 Europe/Kaliningrad
EET2EEST3<2016-09-07T21:00>=3<2018-03-25T01:00>EEST3 Asia/Famagusta
EET2EEST3<2022-10-27T21:00>=3 Asia/Damascus
EET2EEST3<2022-10-27T22:00>=3 Asia/Amman
EST-5<2006-04-02T07:00>CDT-5CST-6 America/Indiana/Tell_City
EST-5<2006-04-02T07:00>CDT-5CST-6EDT-4<2007-11-04T06:00>EST-5 America/Indiana/Winamac
EST-5EDT-4<2015-03-08T07:00>AST-4<2018-03-11T07:00>EDT-4 America/Grand_Turk
GMT0WAT1 Africa/Sao_Tome
KST9KST8.5 Asia/Pyongyang
MSK3<1991-03-30T23:00>EEST3EET2<2011-03-27>=3 Europe/Minsk
MSK3EET2<1992-03-29>EEST3MSD4<1994-09-24T23:00>MSK3<1997-03-30T01:00>EEST3<2014-03-30>MSK4<2014-10-25T22:00>MSK3
  Europe/Simferopol
MSK3MSD4<1991-03-30T23:00>=4<1992-03-28T22:00>MSD4<2011-03-26T23:00>MSK4 Europe/Kirov
MSK3MSD4<1991-03-30T23:00>=4<1992-03-28T22:00>MSD4<2011-03-26T23:00>MSK4<2018-10-27T23:00>=4
  Europe/Volgograd
MST-7MDT-6<1992-10-25T08:00>CST-6CDT-5 America/North_Dakota/Center
MST-7MDT-6<1999-10-31T08:00>CST-6CDT-5<2000-10-29T07:00>EST-5<2001-04-01T09:00>MDT-6 America/Cambridge_Bay
MST-7MDT-6<2003-10-26T08:00>CST-6CDT-5 America/North_Dakota/New_Salem
MST-7MDT-6<2010-11-07T08:00>CST-6CDT-5 America/North_Dakota/Beulah
MST-7MDT-6CDT-5<2010-10-31T07:00>CST-6 America/Bahia_Banderas
PKT5PKST6 Asia/Karachi
PST-8AKST-9<2016-03-13T11:00>AKDT-8<2018-11-04T10:00>PST-8<2019-03-10T11:00>AKDT-8 America/Metlakatla
PST-8PDT-7<2015-03-08T10:00>MST-7 America/Fort_Nelson
PST8PDT9 Asia/Manila
SAST2<1990-03-20T22:00>CAT2WAT1 Africa/Windhoek
WIT9 Asia/Jayapura
`
