import { us, type City } from './city.ts';

/**
 * Cities of the United States: name, state, time zone, region, weight, and quarters that have a ZIP code of their own.
 * The weights follow the sizes of the cities and their suburbs; coordinates come from the zipcodes package.
 */
const table = `
New York | NY | America/New_York | northeast | 54 | 10009 East Village; 10014 West Village; 10025 Upper West Side; 10028 Upper East Side; 10011 Chelsea; 10027 Harlem; 10033 Washington Heights; 10002 Lower East Side
Brooklyn | NY | America/New_York | northeast | 40 | 11215 Park Slope; 11211 Williamsburg; 11222 Greenpoint; 11238 Prospect Heights; 11209 Bay Ridge; 11226 Flatbush; 11201 Brooklyn Heights; 11233 Bed-Stuy
Astoria | NY | America/New_York | northeast | 10 | 11103 Steinway; 11105 Ditmars; 11106 Ravenswood
Jersey City | NJ | America/New_York | northeast | 8 | 07302 Downtown; 07306 Journal Square; 07307 The Heights
Buffalo | NY | America/New_York | midwest | 7 | 14222 Elmwood Village; 14213 West Side; 14216 North Buffalo; 14201 Allentown
Rochester | NY | America/New_York | midwest | 6 | 14607 Park Avenue; 14620 South Wedge; 14610 Browncroft
Los Angeles | CA | America/Los_Angeles | california | 50 | 90026 Echo Park; 90027 Los Feliz; 90039 Atwater Village; 90042 Highland Park; 90019 Mid-City; 90066 Mar Vista; 90045 Westchester; 90036 Fairfax; 90008 Leimert Park; 90004 Koreatown
Long Beach | CA | America/Los_Angeles | california | 9 | 90803 Belmont Shore; 90802 Downtown; 90814 Rose Park; 90807 Bixby Knolls
Pasadena | CA | America/Los_Angeles | california | 6 | 91101 Old Pasadena; 91104 Bungalow Heaven; 91106 South Lake
San Diego | CA | America/Los_Angeles | california | 20 | 92104 North Park; 92103 Hillcrest; 92107 Ocean Beach; 92116 Normal Heights; 92109 Pacific Beach; 92102 South Park
San Jose | CA | America/Los_Angeles | bay_area | 12 | 95112 Japantown; 95125 Willow Glen; 95126 Rose Garden; 95128 Burbank
San Francisco | CA | America/Los_Angeles | bay_area | 20 | 94110 Mission; 94117 Haight; 94122 Sunset; 94118 Inner Richmond; 94114 Castro; 94131 Glen Park; 94133 North Beach
Oakland | CA | America/Los_Angeles | bay_area | 10 | 94610 Lake Merritt; 94609 Temescal; 94611 Piedmont Avenue; 94602 Dimond; 94606 San Antonio
Sacramento | CA | America/Los_Angeles | california | 10 | 95816 Midtown; 95818 Land Park; 95819 East Sacramento; 95817 Oak Park
Fresno | CA | America/Los_Angeles | california | 6 | 93728 Tower District; 93704 Fig Garden; 93720 Woodward Park
Chicago | IL | America/Chicago | great_lakes | 48 | 60625 Lincoln Square; 60647 Logan Square; 60614 Lincoln Park; 60657 Lakeview; 60640 Uptown; 60622 Wicker Park; 60608 Pilsen; 60615 Hyde Park; 60613 Wrigleyville; 60618 Avondale
Evanston | IL | America/Chicago | great_lakes | 5 | 60201 Downtown; 60202 Main-Dempster
Houston | TX | America/Chicago | texas | 26 | 77006 Montrose; 77008 The Heights; 77007 Rice Military; 77005 West University; 77019 River Oaks; 77004 Third Ward; 77096 Meyerland
Dallas | TX | America/Chicago | texas | 20 | 75206 Lower Greenville; 75208 Bishop Arts; 75214 Lakewood; 75204 Uptown; 75218 White Rock; 75230 Preston Hollow
Fort Worth | TX | America/Chicago | texas | 9 | 76104 Near Southside; 76107 Arlington Heights; 76110 Fairmount; 76109 TCU
Austin | TX | America/Chicago | texas | 16 | 78704 Travis Heights; 78702 East Austin; 78751 Hyde Park; 78757 Crestview; 78745 South Austin; 78731 Northwest Hills; 78723 Mueller
San Antonio | TX | America/Chicago | texas | 14 | 78210 Lavaca; 78209 Alamo Heights; 78212 Monte Vista; 78204 King William; 78232 Stone Oak
El Paso | TX | America/Denver | southwest | 6 | 79902 Kern Place; 79912 Westside; 79930 Five Points
Philadelphia | PA | America/New_York | northeast | 22 | 19147 Queen Village; 19125 Fishtown; 19103 Rittenhouse; 19130 Fairmount; 19148 Passyunk; 19128 Roxborough; 19119 Mount Airy; 19104 West Philly
Pittsburgh | PA | America/New_York | midwest | 11 | 15201 Lawrenceville; 15217 Squirrel Hill; 15206 East Liberty; 15203 South Side; 15232 Shadyside
Phoenix | AZ | America/Phoenix | southwest | 20 | 85003 Roosevelt Row; 85016 Biltmore; 85018 Arcadia; 85013 Melrose; 85020 North Mountain; 85044 Ahwatukee
Scottsdale | AZ | America/Phoenix | southwest | 6 | 85251 Old Town; 85258 McCormick Ranch
Tucson | AZ | America/Phoenix | southwest | 8 | 85719 Sam Hughes; 85701 Barrio Viejo; 85716 Midtown; 85745 Tumamoc
Jacksonville | FL | America/New_York | south | 9 | 32204 Riverside; 32205 Avondale; 32207 San Marco
Miami | FL | America/New_York | miami | 17 | 33137 Wynwood; 33133 Coconut Grove; 33135 Little Havana; 33129 Brickell; 33138 Upper Eastside; 33130 East Little Havana
Tampa | FL | America/New_York | florida | 11 | 33604 Seminole Heights; 33606 Hyde Park; 33605 Ybor City; 33629 Palma Ceia
Orlando | FL | America/New_York | florida | 9 | 32803 Colonialtown; 32801 Downtown; 32804 College Park; 32806 Delaney Park
Columbus | OH | America/New_York | midwest | 13 | 43206 German Village; 43202 Clintonville; 43201 Short North; 43215 Arena District; 43214 Beechwold
Cleveland | OH | America/New_York | midwest | 9 | 44113 Ohio City; 44102 Gordon Square; 44109 Old Brooklyn; 44120 Shaker Square
Cincinnati | OH | America/New_York | midwest | 9 | 45202 Over-the-Rhine; 45208 Hyde Park; 45223 Northside; 45206 Walnut Hills
Detroit | MI | America/New_York | great_lakes | 10 | 48201 Midtown; 48216 Corktown; 48226 Downtown; 48214 West Village
Ann Arbor | MI | America/New_York | midwest | 5 | 48103 Old West Side; 48104 Burns Park; 48105 Northside
Grand Rapids | MI | America/New_York | midwest | 5 | 49503 Heritage Hill; 49506 Eastown; 49504 West Side
Charlotte | NC | America/New_York | south | 12 | 28203 Dilworth; 28205 Plaza Midwood; 28206 NoDa; 28209 Myers Park
Raleigh | NC | America/New_York | south | 8 | 27608 Five Points; 27605 Cameron Village; 27601 Downtown; 27607 West Raleigh
Indianapolis | IN | America/Indiana/Indianapolis | midwest | 10 | 46203 Fountain Square; 46220 Broad Ripple; 46205 Meridian-Kessler; 46202 Mass Ave
Seattle | WA | America/Los_Angeles | northwest | 20 | 98103 Fremont; 98107 Ballard; 98122 Capitol Hill; 98118 Columbia City; 98115 Ravenna; 98116 West Seattle; 98117 Crown Hill
Tacoma | WA | America/Los_Angeles | northwest | 5 | 98405 Hilltop; 98406 Proctor; 98407 North End
Spokane | WA | America/Los_Angeles | mountain | 4 | 99201 Browne's Addition; 99203 South Hill; 99205 Audubon
Portland | OR | America/Los_Angeles | northwest | 14 | 97211 Alberta; 97214 Hawthorne; 97202 Sellwood; 97217 Kenton; 97209 Pearl District; 97206 Foster-Powell
Eugene | OR | America/Los_Angeles | northwest | 4 | 97401 Downtown; 97402 Whiteaker; 97405 South Hills
Denver | CO | America/Denver | mountain | 17 | 80211 Highland; 80206 City Park; 80209 Washington Park; 80205 Five Points; 80210 Platt Park; 80220 Park Hill
Boulder | CO | America/Denver | mountain | 5 | 80302 Mapleton Hill; 80304 North Boulder; 80305 Table Mesa
Washington | DC | America/New_York | northeast | 18 | 20009 Adams Morgan; 20002 H Street; 20010 Mount Pleasant; 20003 Capitol Hill; 20011 Petworth; 20016 Tenleytown
Baltimore | MD | America/New_York | northeast | 10 | 21211 Hampden; 21224 Canton; 21230 Federal Hill; 21218 Charles Village; 21231 Fells Point
Boston | MA | America/New_York | new_england | 16 | 02115 Fenway; 02118 South End; 02127 South Boston; 02116 Back Bay; 02128 East Boston; 02113 North End
Cambridge | MA | America/New_York | new_england | 7 | 02139 Cambridgeport; 02138 Harvard Square; 02140 Porter Square; 02141 East Cambridge
Worcester | MA | America/New_York | new_england | 4 | 01602 Tatnuck; 01609 Elm Park; 01604 Grafton Hill
Providence | RI | America/New_York | new_england | 6 | 02906 East Side; 02903 Downtown; 02909 West End
Hartford | CT | America/New_York | new_england | 4 | 06105 West End; 06106 Parkville
Burlington | VT | America/New_York | new_england | 3 | 05401 Old North End; 05408 New North End
Portland | ME | America/New_York | new_england | 4 | 04101 West End; 04102 Libbytown; 04103 Deering
Nashville | TN | America/Chicago | south | 12 | 37206 East Nashville; 37212 Hillsboro Village; 37203 The Gulch; 37216 Inglewood; 37209 Sylvan Park
Memphis | TN | America/Chicago | south | 7 | 38104 Midtown; 38103 Downtown; 38111 University District; 38114 Cooper-Young
Oklahoma City | OK | America/Chicago | plains | 7 | 73103 Midtown; 73106 The Plaza; 73118 Crown Heights
Tulsa | OK | America/Chicago | plains | 5 | 74104 Kendall-Whittier; 74105 Brookside; 74120 Pearl District
Las Vegas | NV | America/Los_Angeles | southwest | 11 | 89101 Downtown; 89104 Huntridge; 89117 The Lakes; 89135 Summerlin
Reno | NV | America/Los_Angeles | mountain | 4 | 89509 Old Southwest; 89502 Midtown; 89503 University
Louisville | KY | America/Kentucky/Louisville | south | 7 | 40204 The Highlands; 40206 Clifton; 40208 Old Louisville; 40217 Germantown
Milwaukee | WI | America/Chicago | midwest | 9 | 53207 Bay View; 53202 East Town; 53211 East Side; 53208 Washington Heights
Madison | WI | America/Chicago | midwest | 5 | 53703 Downtown; 53704 Atwood; 53711 Vilas
Albuquerque | NM | America/Denver | southwest | 7 | 87106 Nob Hill; 87104 Old Town; 87107 North Valley
Santa Fe | NM | America/Denver | southwest | 3 | 87501 Downtown; 87505 South Capitol
Kansas City | MO | America/Chicago | plains | 9 | 64111 Westport; 64110 Brookside; 64108 Crossroads; 64113 Waldo
Saint Louis | MO | America/Chicago | midwest | 9 | 63110 The Hill; 63104 Soulard; 63118 Cherokee; 63116 Tower Grove; 63112 DeBaliviere
Omaha | NE | America/Chicago | plains | 6 | 68132 Dundee; 68131 Blackstone; 68108 Little Italy
Minneapolis | MN | America/Chicago | midwest | 13 | 55408 Uptown; 55413 Northeast; 55406 Longfellow; 55407 Powderhorn; 55409 Kingfield
Saint Paul | MN | America/Chicago | midwest | 6 | 55105 Mac-Groveland; 55102 West Seventh; 55104 Hamline-Midway
Des Moines | IA | America/Chicago | plains | 5 | 50309 East Village; 50312 Beaverdale; 50311 Drake
New Orleans | LA | America/Chicago | louisiana | 9 | 70117 Bywater; 70115 Uptown; 70119 Mid-City; 70130 Irish Channel; 70118 Carrollton
Atlanta | GA | America/New_York | south | 16 | 30307 Inman Park; 30316 East Atlanta; 30306 Virginia-Highland; 30312 Grant Park; 30310 West End; 30318 Westside
Savannah | GA | America/New_York | south | 4 | 31401 Historic District; 31405 Ardsley Park
Charleston | SC | America/New_York | south | 5 | 29403 Hampton Park; 29401 South of Broad; 29407 West Ashley
Richmond | VA | America/New_York | south | 7 | 23220 The Fan; 23221 Carytown; 23223 Church Hill; 23227 Northside
Virginia Beach | VA | America/New_York | south | 5 | 23451 Oceanfront; 23454 Great Neck; 23464 Kempsville
Birmingham | AL | America/Chicago | south | 5 | 35205 Five Points South; 35222 Avondale; 35213 Crestline
Little Rock | AR | America/Chicago | south | 4 | 72205 Hillcrest; 72202 Downtown; 72207 The Heights
Salt Lake City | UT | America/Denver | utah | 8 | 84105 Sugar House; 84103 The Avenues; 84102 East Central; 84106 Brickyard
Boise | ID | America/Boise | mountain | 5 | 83702 North End; 83706 Bown Crossing; 83705 The Bench
Missoula | MT | America/Denver | mountain | 2 | 59801 University District; 59802 Rattlesnake
Honolulu | HI | Pacific/Honolulu | hawaii | 6 | 96816 Kaimuki; 96822 Manoa; 96815 Waikiki; 96817 Nuuanu
Anchorage | AK | America/Anchorage | mountain | 3 | 99501 Downtown; 99508 Russian Jack; 99517 Turnagain
`;

/** The cities of the United States with their quarters. */
export const usCities: readonly City[] = table.trim().split('\n').map(us);
