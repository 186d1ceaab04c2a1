import type { FieldGroup } from '../../src/catalogue/field.ts';

/** The field names by group, as clients know them: a rename or a removal fails here. */
export const fieldNames = {
  basic: `
    about_me agefrom ageto auto_renew best_attribute build city country date_of_birth deactivated
    display_name_preference drinking education exercise eye_color family_roots first_name gender
    gender_preference hair_color has_children headline height income language last_name latitude
    longitude locale marital_status music occupation online photo_caption politics race religion
    smoking state timezone username want_children world_plus zip`,
  opinion: `
    a_abortion a_animal_rights a_bill_clinton a_capital_punishment a_democrats a_euro
    a_european_union a_free_press a_gays_in_military a_george_bush a_gun_control a_homelessness
    a_legalizing_drugs a_macedonia a_nato a_ozone_depletion a_pornography a_religion a_republicans
    a_school_prayer a_spirituality a_tobacco_companies a_united_nations a_welfare
    a_women_in_military a_world_bank`,
  favorite: `
    f_actor f_actress f_artist f_athlete f_author f_band f_bar f_book f_city f_clothing_store
    f_color f_country f_cuban_food f_drink f_fashion_designer f_fast_food_chain f_greek_athlete
    f_greek_entertainer f_greek_food f_greek_holiday f_magazine f_movie_action f_movie_comedy
    f_movie_drama f_movie_horror f_news_anchor f_nightclub f_place_to_be_kissed f_play f_politician
    f_pro_sports_team f_quote_from_a_movie f_restaurant f_song_at_the_moment f_sport f_stock
    f_turkish_athlete f_turkish_food f_tv_comedy f_tv_drama f_tv_news f_type_of_food f_type_of_music`,
  interest: `
    i_acting i_animals i_antiques i_art i_astrology i_astronomy i_barbecues i_bars i_basketball
    i_biology i_board_games i_business_finance i_camping i_card_games i_cars i_children i_circus
    i_comedy i_community_service i_cooking i_dancing i_dating i_dogs_cats i_drawing i_electronics
    i_exercise i_food i_football i_gambling i_gardening i_guns i_internet i_live_concerts i_math
    i_medicine i_movies i_opera i_painting i_pets i_philosophy i_photography i_politics i_psychology
    i_radio i_reading i_religion i_rugs i_running i_school i_shopping i_singing i_sky_diving
    i_snowboarding i_soccer i_stock_market i_technology i_television i_tennis i_theater i_traveling
    i_video_games i_walking i_writing`,
  lifestyle: `
    ls_dress ls_energy ls_happy_hour ls_neatness ls_punctuality ls_religion ls_school ls_spending
    ls_travel ls_weekends ls_what_do_you_do ls_work_ethic`,
  personality: `
    p_adventurousness p_affectionateness p_believability p_confidence p_independence p_mood
    p_romance p_sociability p_thought_process p_tolerance`,
  question: `
    q_5_years_from_now q_age_for_marriage q_describe_perfect_evening q_greek_god q_how_many_kids
    q_kids_speak_greek q_kids_speak_turkish q_lessons q_love_at_first_sight q_magical_powers
    q_marriage q_most_important_in_relationship q_nerves q_perfect_weekend q_physical_appearance
    q_reincarnation q_what_friends_like_about_you q_what_friends_tease_you_about q_what_turns_off
    q_what_turns_on`,
} satisfies Record<FieldGroup, string>;

/** Parameters of registration and update beside those; they are fields of the basic group. */
export const parameterNames = ['password', 'email', 'searchable', 'reason_id', 'record_searches'] as const;
